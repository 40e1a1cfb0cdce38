import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MaskPreview, SummaryCase, SummaryCause } from '../../../src/contracts/pages/runSummary';
import { counted } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import { sentence } from '../../base/sentence';
import { type CaseActions, CaseList } from './caseList';

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

interface MaskPreviewListProps {
  readonly preview: readonly MaskPreview[];
  onWrite(): void;
  onCancel(): void;
}

/** The lines that masks change in each file, before they are written. The button that writes them has the focus. */
function MaskPreviewList({ preview, onWrite, onCancel }: MaskPreviewListProps): VNode {
  const write = useRef<HTMLButtonElement>(null);
  useEffect(() => write.current?.focus(), []);
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') onCancel();
  };
  return (
    <div class="preview">
      <p class="actions">
        <button
          type="button"
          class="button"
          ref={write}
          disabled={preview.length === 0}
          onKeyDown={onKeyDown}
          onClick={onWrite}
        >
          {counted(preview.length, 'Write to {0} file and replay', 'Write to {0} files and replay')}
        </button>
        <button type="button" class="button-secondary" onKeyDown={onKeyDown} onClick={onCancel}>
          {t('Cancel')}
        </button>
      </p>
      {preview.length === 0 && (
        <p class="note">{t('These files have the masks already, or errors in the Problems view.')}</p>
      )}
      <ul class="rows">
        {preview.map(({ path, removed, added }) => (
          <li key={path} class="preview-file">
            <span class="quiet">{path}</span>
            <pre class="diff">
              {removed.map((line) => (
                <del key={line}>{`${line}\n`}</del>
              ))}
              {added.map((line) => (
                <ins key={line}>{`${line}\n`}</ins>
              ))}
            </pre>
          </li>
        ))}
      </ul>
    </div>
  );
}
