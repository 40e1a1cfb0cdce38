import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import { type Notice, useActions } from '../state/actions';

/** Milliseconds that a notice stays. */
const SHORT_MS = 2000;
const LONG_MS = 6000;
/** In characters. */
const LONG_TEXT = 40;

interface NoticeLineProps {
  readonly notice: Notice | undefined;
  onDismiss(): void;
}

/** Shows that an action is done for a moment, and that one failed until the user dismisses it. */
export function NoticeLine({ notice, onDismiss }: NoticeLineProps): VNode {
  // Only a new notice starts the timer.
  useEffect(() => {
    if (notice?.tone !== 'done') return undefined;
    const timer = setTimeout(onDismiss, notice.text.length > LONG_TEXT ? LONG_MS : SHORT_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div class="notice-place" role="status">
      {notice !== undefined && (
        <p class={`notice notice-${notice.tone}`}>
          <Icon name={notice.tone === 'done' ? 'check' : 'error'} />
          {notice.text}
          {notice.tone === 'failed' && (
            <button type="button" class="button-quiet" aria-label={t('Dismiss')} onClick={onDismiss}>
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
  readonly canDescribe?: boolean;
}

/** The page where there is no transcript: the reason, and what can be done with the file. */
export function MessagePage({ title, text, canDescribe = false }: MessagePageProps): VNode {
  const { openAsText, describeFormat } = useActions();
  return (
    <main class="still">
      <h1>{title}</h1>
      <p>{text}</p>
      <p class="actions">
        {canDescribe && (
          <button type="button" class="button" onClick={() => describeFormat(undefined)}>
            {t('Describe This Format…')}
          </button>
        )}
        <button type="button" class={canDescribe ? 'button-secondary' : 'button'} onClick={() => openAsText(undefined)}>
          {t('Open in Text Editor')}
        </button>
      </p>
    </main>
  );
}
