import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { MaskPreview, SummaryCase, SummaryCause } from '../../../src/contracts/pages/runSummary';
import { counted } from '../../../src/core/text/counts';
import { Icon } from '../../base/icon';
import { sentence } from '../../base/sentence';
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
      <p class="changed">{line}</p>
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
  return (
    <>
      <p class="actions">
        {mask !== undefined && (
          <button type="button" class="button" disabled={!actions.canRun} onClick={onPreview}>
            {counted(ids.length, '{1}…', '{1} in {0} cases…', mask)}
          </button>
        )}
        <button
          type="button"
          class={mask === undefined ? 'button' : 'button-secondary'}
          disabled={!actions.canRun}
          onClick={() => actions.record(ids)}
        >
          {counted(ids.length, 'Re-record… ({1})', 'Re-record {0} cases… ({1})', cost)}
        </button>
      </p>
      {written !== undefined && (
        <p class="note">
          {sentence(
            'Adds {0} {1}. You see the edit before it is written, and can undo it.',
            <code>{written.text}</code>,
            codeParts(written.place),
          )}
        </p>
      )}
    </>
  );
}
