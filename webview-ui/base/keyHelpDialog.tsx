import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../src/core/text/l10n';
import { Icon } from './icon';
import { sentence } from './sentence';

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
        <h2 id="key-help-title">{t('Keyboard Shortcuts')}</h2>
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

/** The part of a page's help that is for screen readers: how to move, what is announced, and how to read it as text. */
function ScreenReaderHelp({ lines }: { readonly lines: readonly string[] }): VNode {
  return (
    <section class="screen-reader-help">
      <h3>{t('Screen Readers')}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{t(line)}</li>
        ))}
      </ul>
      <p>{sentence('{0} opens this help, {1} the whole page as text.', <kbd>Alt+F1</kbd>, <kbd>Alt+F2</kbd>)}</p>
    </section>
  );
}
