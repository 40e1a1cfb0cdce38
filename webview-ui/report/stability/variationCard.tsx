import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownVariation } from '../../../src/contracts/engine/stability';
import { counted, grouped } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { listed } from '../../../src/core/text/listed';
import { valueLetter } from './takesTable';

/** More values are shown when the user asks for them. */
const FEW = 3;

/** One thing that varies, with its values, the most frequent first. */
export function VariationCard({ variation }: { readonly variation: ShownVariation }): VNode {
  const { title, place, often, values } = variation;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? values : values.slice(0, FEW);
  return (
    <article class="card">
      <h3>{title}</h3>
      <p class="note">{`${place} · ${often}`}</p>
      <ul class="values">
        {shown.map(({ text, takes }, at) => (
          <li key={valueLetter(at)}>
            <span class={`letter value-${Math.min(at, 4)}`}>{text === null ? '–' : valueLetter(at)}</span>
            {text === null ? (
              <p class="quiet">{t('absent')}</p>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a long value scrolls, so the keyboard has to reach it
              <pre tabIndex={0}>{text}</pre>
            )}
            <span class="note">{takesText(takes)}</span>
          </li>
        ))}
      </ul>
      {shown.length < values.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {t('Show all {0} values', grouped(values.length))}
        </button>
      )}
    </article>
  );
}

function takesText(takes: readonly number[]): string {
  const numbers = listed(takes.map((take) => String(take + 1)));
  return counted(takes.length, 'take {1}', 'takes {1}', numbers);
}
