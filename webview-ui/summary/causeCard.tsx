import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { MaskPreview, SummaryCase, SummaryCause } from '../../src/protocol/runSummary';
import { ChangedLine } from '../base/changedLine';
import { Icon } from '../base/icon';
import { type CaseActions, CaseList } from './caseList';
import { MaskPreviewList } from './maskPreviewList';

interface CauseCardProps {
  readonly cause: SummaryCause;
  readonly cases: readonly SummaryCase[];
  readonly actions: CaseActions;
}

/** The drifts that have one cause, with what fixes all of them. */
export function CauseCard({ cause, cases, actions }: CauseCardProps): VNode {
  const { title, line, ids } = cause;
  const [preview, setPreview] = useState<readonly MaskPreview[]>();
  return (
    <section class="card" aria-label={title}>
      <h2 class="icon-warning">
        <Icon name="warning" />
        {title}
      </h2>
      <p class="changed diff">
        <ChangedLine line={line} />
      </p>
      {preview === undefined ? (
        <>
          <Fixes cause={cause} actions={actions} onPreview={() => void actions.previewMasks(ids).then(setPreview)} />
          <CaseList cases={cases} actions={actions} shownLine={line} />
        </>
      ) : (
        <MaskPreviewList
          preview={preview}
          onWrite={() => {
            setPreview(undefined);
            actions.mask(ids);
          }}
          onCancel={() => setPreview(undefined)}
        />
      )}
    </section>
  );
}

/** A sentence about a file, with the names that are in the file as code: `to [llm.replay] of each case`. */
function codeParts(text: string): readonly (string | VNode)[] {
  return text
    .split(/(\[[\w.]+\]|\btapedeck\.toml\b)/)
    .map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>));
}

interface FixesProps {
  readonly cause: SummaryCause;
  readonly actions: CaseActions;
  onPreview(): void;
}

function Fixes({ cause: { mask, written, cost, ids }, actions, onPreview }: FixesProps): VNode {
  const inAll = ids.length === 1 ? '' : ` in ${ids.length} cases`;
  return (
    <>
      <p class="actions">
        {mask !== undefined && (
          <button type="button" class="button" disabled={!actions.canRun} onClick={onPreview}>
            {`${mask}${inAll}…`}
          </button>
        )}
        <button
          type="button"
          class={mask === undefined ? 'button' : 'button-secondary'}
          disabled={!actions.canRun}
          onClick={() => actions.record(ids)}
        >
          {ids.length === 1 ? `Re-record… (${cost})` : `Re-record ${ids.length} cases… (${cost})`}
        </button>
      </p>
      {written !== undefined && (
        <p class="note">
          Adds <code>{written.text}</code> {codeParts(written.place)}
          {`. You see the edit before it is written, and can undo it.`}
        </p>
      )}
    </>
  );
}
