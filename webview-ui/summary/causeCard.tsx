import type { VNode } from 'preact';
import type { SummaryCase, SummaryCause } from '../../src/protocol/runSummary';
import { ChangedLine } from '../base/changedLine';
import { Icon } from '../base/icon';
import { type CaseActions, CaseList } from './caseList';

interface CauseCardProps {
  readonly cause: SummaryCause;
  readonly cases: readonly SummaryCase[];
  readonly actions: CaseActions;
}

/** The drifts that have one cause, with what fixes all of them. */
export function CauseCard({ cause, cases, actions }: CauseCardProps): VNode {
  const { title, line, mask, written, cost, ids } = cause;
  const inAll = ids.length === 1 ? '' : ` in ${ids.length} cases`;
  const record = (
    <button
      type="button"
      class={mask === undefined ? 'button' : 'button-secondary'}
      disabled={!actions.canRun}
      onClick={() => actions.record(ids)}
    >
      {ids.length === 1 ? `Re-record… (${cost})` : `Re-record ${ids.length} cases… (${cost})`}
    </button>
  );
  return (
    <section class="card" aria-label={title}>
      <h2 class="icon-warning">
        <Icon name="warning" />
        {title}
      </h2>
      <p class="changed diff">
        <ChangedLine line={line} />
      </p>
      <p class="actions">
        {mask !== undefined && (
          <button type="button" class="button" disabled={!actions.canRun} onClick={() => actions.mask(ids)}>
            {`${mask}${inAll}…`}
          </button>
        )}
        {record}
      </p>
      {written !== undefined && (
        <p class="note">
          Adds <code>{written.text}</code>
          {` ${written.place}. You see the edit before it is written, and can undo it.`}
        </p>
      )}
      <CaseList cases={cases} actions={actions} shownLine={line} />
    </section>
  );
}
