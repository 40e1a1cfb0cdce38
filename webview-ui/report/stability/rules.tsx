import type { VNode } from 'preact';
import type { StabilityReport } from '../../../src/contracts/engine/stability';
import { CONFIG_FILE } from '../../../src/core/project/layout';
import type { Snippet } from '../../../src/core/stability/snippets';
import { counted } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';

interface RulesProps extends Pick<StabilityReport, 'snippets' | 'casePath'> {
  readonly everywhere: StabilityReport['everywhere'];
  readonly conclusion: string | undefined;
  onAdd(place: Snippet['file']): void;
}

/** The rules that make the takes equal, as they would be written: into the case, or where it has none, for the whole project. */
export function Rules({ snippets, everywhere, casePath, conclusion, onAdd }: RulesProps): VNode {
  const isForCase = snippets.length > 0;
  const shown = isForCase || everywhere === undefined ? snippets : [everywhere.snippet];
  return (
    <section class="card" aria-label={t('Suggested rules')}>
      <h2 class="icon-quiet">
        <Icon name="tools" />
        {conclusion === undefined ? t('Rules that make all takes equal') : t('Rules that would reduce the differences')}
      </h2>
      {shown.map(({ file, how, table, toml }) => (
        <div key={file + table} class="snippet">
          <p class="note">{placeOf(how, table, file === 'project' ? CONFIG_FILE : casePath)}</p>
          <pre>{toml.trimEnd()}</pre>
        </div>
      ))}
      {isForCase && (
        <p class="actions">
          <button type="button" class="button" onClick={() => onAdd('case')}>
            {t('Add to Case')}
          </button>
        </p>
      )}
      {everywhere !== undefined && (
        <>
          <p class="note">{holdingText(everywhere.cases)}</p>
          <p class="actions">
            <button type="button" class="button-secondary" onClick={() => onAdd('project')}>
              {isForCase ? t('Add to Project Instead') : t('Add to Project')}
            </button>
          </p>
        </>
      )}
      {conclusion !== undefined && <p class="note">{conclusion}</p>}
    </section>
  );
}

function holdingText(cases: number): string {
  return counted(
    cases,
    'In {1}, rules apply to the only case of the project.',
    'In {1}, rules apply to all {0} cases of the project: they hide such a change in each of them.',
    CONFIG_FILE,
  );
}

function placeOf(how: Snippet['how'], table: string, file: string): string {
  if (how === 'add') return t('Added to {0}', file);
  return how === 'replace' ? t('In {0}, instead of [{1}]', file, table) : t('In {0}, below [{1}]', file, table);
}
