import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../base/icon';
import { KEY_BINDINGS, keyLabel } from './keys';

/** The keys of the review, in a dialog that Escape closes. */
export function KeyHelp({ onClose }: { onClose(): void }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="key-help" ref={dialog} onClose={onClose} aria-labelledby="key-help-title">
      <header>
        <h2 id="key-help-title">Keys</h2>
        <button type="button" class="button-quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <dl>
        {KEY_BINDINGS.map(({ action, keys, says }) => (
          <div key={action}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{keyLabel(key)}</kbd>
              ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
