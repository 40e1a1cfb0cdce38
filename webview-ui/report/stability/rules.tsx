import type { VNode } from 'preact';
import type { Snippet } from '../../../src/core/stability/snippets';
import { t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';

interface RulesProps {
  readonly snippets: readonly Snippet[];
  readonly casePath: string;
  readonly conclusion: string | undefined;
  onAdd(): void;
}

/** The rules that make the takes equal, as they would be written. */
export function Rules({ snippets, casePath, conclusion, onAdd }: RulesProps): VNode {
  return (
    <section class="card" aria-label={t('Suggested rules')}>
      <h2 class="icon-quiet">
        <Icon name="tools" />
        {conclusion === undefined ? t('Rules that make all takes equal') : t('Rules that make the takes more alike')}
      </h2>
      {snippets.map(({ file, how, table, toml }) => (
        <div key={file + table} class="snippet">
          <p class="note">{placeOf(how, table, file === 'project' ? 'tapedeck.toml' : casePath)}</p>
          <pre>{toml.trimEnd()}</pre>
        </div>
      ))}
      <p class="actions">
        <button type="button" class="button" onClick={onAdd}>
          {t('Add to files')}
        </button>
      </p>
      {conclusion !== undefined && <p class="note">{conclusion}</p>}
    </section>
  );
}

function placeOf(how: Snippet['how'], table: string, file: string): string {
  if (how === 'add') return t('Added to {0}', file);
  return how === 'replace' ? t('In {0}, instead of [{1}]', file, table) : t('In {0}, below [{1}]', file, table);
}
