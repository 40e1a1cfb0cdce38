import type { VNode } from 'preact';
import { counted } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import { DriftCards } from '../drift/drifts';
import { type AsideRun, describeRun, foldRun } from '../rows/asideRuns';
import { useActions } from '../state/actions';

/** What was said to MCP servers beside the conversation, in one line. */
export function AsideLine({ run }: { readonly run: AsideRun }): VNode {
  const { change } = useActions();
  const { interactions, isOpen } = run;
  return (
    <>
      <div class="mcp-aside">
        <button type="button" class="message-head" aria-expanded={isOpen} onClick={() => change(foldRun(run))}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <span class="number">{numbersOf(run)}</span>
          <span class="role">MCP</span>
          <span class="preview" dir="auto">
            {describeRun(run)}
          </span>
        </button>
      </div>
      {!isOpen && interactions.map(({ index }) => <DriftCards key={index} interaction={index} />)}
    </>
  );
}

/** For screen readers. */
export function asideLabel(run: AsideRun): string {
  const numbers = numbersOf(run).replaceAll('#', '');
  return counted(
    run.interactions.length,
    'MCP, interaction {1}: {2}',
    'MCP, interactions {1}: {2}',
    numbers,
    describeRun(run),
  );
}

function numbersOf({ interactions }: AsideRun): string {
  const [first, last] = [interactions[0], interactions.at(-1)].map((view) => `#${(view?.index ?? 0) + 1}`);
  return first === last ? `${first}` : t('{0} to {1}', `${first}`, `${last}`);
}
