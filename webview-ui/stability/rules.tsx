import type { VNode } from 'preact';
import type { Snippet } from '../../src/core/stability/snippets';
import { Icon } from '../base/icon';

interface RulesProps {
  readonly snippets: readonly Snippet[];
  readonly casePath: string;
  readonly conclusion: string | undefined;
  onAdd(): void;
}

/** The rules that make the takes equal, as they would be written. */
export function Rules({ snippets, casePath, conclusion, onAdd }: RulesProps): VNode {
  return (
    <section class="card" aria-label="Suggested rules">
      <h2 class="icon-quiet">
        <Icon name="tools" />
        {conclusion === undefined ? 'Rules that make all takes equal' : 'Rules that make the takes more alike'}
      </h2>
      {snippets.map(({ file, how, table, toml }) => (
        <div key={file + table} class="snippet">
          <p class="note">{placeOf(how, table, file === 'project' ? 'tapedeck.toml' : casePath)}</p>
          <pre>{toml.trimEnd()}</pre>
        </div>
      ))}
      <p class="actions">
        <button type="button" class="button" onClick={onAdd}>
          Add to files
        </button>
      </p>
      {conclusion !== undefined && <p class="note">{conclusion}</p>}
    </section>
  );
}

function placeOf(how: Snippet['how'], table: string, file: string): string {
  if (how === 'add') return `Added to ${file}`;
  return how === 'replace' ? `In ${file}, instead of [${table}]` : `In ${file}, below [${table}]`;
}
