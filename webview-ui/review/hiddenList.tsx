import type { VNode } from 'preact';
import type { Change } from '../../src/core/model/change';

/** As much of a value as fits in a line. */
const MOST_SHOWN = 60;

/** What differs and means nothing, each with the rule that says so. Nothing here needs a decision. */
export function HiddenList({ hidden }: { readonly hidden: readonly Change[] }): VNode {
  return (
    <section class="hidden-list quiet" aria-label="Hidden differences">
      <ul>
        {hidden.map(({ id, title, before, after, rules }) => (
          <li key={id}>
            {title} <code>{short(before)}</code> → <code>{short(after)}</code>{' '}
            <span class="badge">{rules.join(', ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line || '(nothing)';
}
