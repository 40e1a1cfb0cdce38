import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../base/icon';
import { KEY_HELP } from './keys';

/** The keys of this page. Escape or the button closes it. */
export function KeyHelp({ onClose }: { onClose(): void }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="key-help" aria-labelledby="key-help-title" onClose={onClose}>
      <header>
        <h2 id="key-help-title">Keys</h2>
        <button type="button" class="button-quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <dl>
        {KEY_HELP.map(({ keys, does }) => (
          <div key={does}>
            <dt>{keys.map((key) => [<kbd key={key}>{key}</kbd>, ' '])}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
