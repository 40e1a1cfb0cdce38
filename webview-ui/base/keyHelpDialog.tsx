import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../src/core/text/l10n';
import { Icon } from './icon';
import { ScreenReaderHelp } from './screenReaderHelp';

interface KeyHelpDialogProps {
  readonly class: string;
  /** How the page is read with a screen reader: messages. */
  readonly reading: readonly string[];
  readonly children: ComponentChildren;
  /** Follows the help for screen readers. */
  readonly footer?: ComponentChildren;
  onClose(): void;
}

/** The keyboard shortcuts of a page, in a dialog. */
export function KeyHelpDialog({ class: classes, reading, children, footer, onClose }: KeyHelpDialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class={classes} aria-labelledby="key-help-title" onClose={onClose}>
      <header>
        <h2 id="key-help-title">{t('Keyboard shortcuts')}</h2>
        <button type="button" class="button-quiet" aria-label={t('Close')} onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      {children}
      <ScreenReaderHelp lines={reading} />
      {footer}
    </dialog>
  );
}
