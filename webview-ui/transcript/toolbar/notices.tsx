import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from '../../base/icon';
import { type Notice, useActions } from '../state/actions';

const DONE_MS = 2000;
/** What also had to change takes longer to read. */
const LONG_MS = 6000;
const LONG = 40;

interface NoticeLineProps {
  readonly notice: Notice | undefined;
  onDismiss(): void;
}

/** Says what was done for a moment, and what failed until it is dismissed. */
export function NoticeLine({ notice, onDismiss }: NoticeLineProps): VNode {
  // Only a new notice starts the clock.
  useEffect(() => {
    if (notice?.tone !== 'done') return undefined;
    const timer = setTimeout(onDismiss, notice.text.length > LONG ? LONG_MS : DONE_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div class="notice-place" role="status">
      {notice !== undefined && (
        <p class={`notice notice-${notice.tone}`}>
          <Icon name={notice.tone === 'done' ? 'check' : 'error'} />
          {notice.text}
          {notice.tone === 'failed' && (
            <button type="button" class="button-quiet" aria-label="Dismiss" onClick={onDismiss}>
              <Icon name="close" />
            </button>
          )}
        </p>
      )}
    </div>
  );
}

interface MessagePageProps {
  readonly title: string;
  readonly text: string;
}

/** A page for when there is no transcript to show: why, and the way to the file itself. */
export function MessagePage({ title, text }: MessagePageProps): VNode {
  const { openAsText } = useActions();
  return (
    <main class="still">
      <h1>{title}</h1>
      <p>{text}</p>
      <button type="button" class="button" onClick={openAsText}>
        Open in Text Editor
      </button>
    </main>
  );
}
