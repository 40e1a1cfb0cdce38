import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { MaskPreview } from '../../../src/contracts/pages/runSummary';
import { counted } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';

interface MaskPreviewListProps {
  readonly preview: readonly MaskPreview[];
  onWrite(): void;
  onCancel(): void;
}

/** The lines that masks change in each file, before they are written. The button that writes them has the focus. */
export function MaskPreviewList({ preview, onWrite, onCancel }: MaskPreviewListProps): VNode {
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
