import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SameChange } from '../../src/protocol/reviewPanel';
import { Icon } from '../base/icon';
import { ActionButton } from './actionButton';
import type { ReviewActions } from './session/reviewKeys';

interface SameLineProps {
  /** In how many files the change is the same, this one included. */
  readonly files: number;
  readonly actions: ReviewActions;
  readonly disabled: boolean;
}

/** Says that a change is the same in other files, with what leads to one decision on all of them. */
export function SameLine({ files, actions, disabled }: SameLineProps): VNode {
  const others = files === 2 ? '1 other file' : `${files - 1} other files`;
  return (
    <p class="same-line quiet">
      The same change is in {others}.{' '}
      <ActionButton
        action="same"
        actions={actions}
        kind="link"
        title="Show the same change in all files, to decide on it once"
        disabled={disabled}
      >
        Decide on all {files}…
      </ActionButton>
    </p>
  );
}

interface SameDialogProps {
  readonly changes: readonly SameChange[];
  onDecide(verdict: 'accepted' | 'rejected'): void;
  onClose(): void;
}

/** The same change in all files, with one decision on it. */
export function SameDialog({ changes, onDecide, onClose }: SameDialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const accept = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    accept.current?.focus();
  }, []);
  const files = new Set(changes.map(({ path }) => path)).size;
  const [first] = changes;
  return (
    <dialog
      ref={dialog}
      class="dialog same-dialog"
      aria-labelledby="same-title"
      aria-describedby="same-about"
      onClose={onClose}
    >
      <header>
        <h2 id="same-title">
          {first?.title} in {files} files
        </h2>
        <button type="button" class="button-quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <p id="same-about" class="quiet">
        The same change in each. Decide once; Undo takes the decision back in all of them.
      </p>
      {/* A list that scrolls is reached by the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
      <ul tabIndex={0} aria-label="The changes">
        {changes.map((change, at) => (
          <Member key={`${change.path} ${at}`} change={change} />
        ))}
      </ul>
      <footer>
        <button type="button" class="button-secondary" onClick={() => onDecide('rejected')}>
          <Icon name="close" /> Reject in {files} files
        </button>
        <button type="button" class="button" ref={accept} onClick={() => onDecide('accepted')}>
          <Icon name="check" /> Accept in {files} files
        </button>
      </footer>
    </dialog>
  );
}

function Member({ change: { path, before, after } }: { readonly change: SameChange }): VNode {
  const slash = path.lastIndexOf('/') + 1;
  return (
    <li>
      <span class="same-path" title={path}>
        <span class="quiet">{path.slice(0, slash)}</span>
        {path.slice(slash)}
      </span>
      <span class="same-words">
        {before !== '' && <del>{before}</del>}
        {before !== '' && after !== '' && <span class="visually-hidden"> becomes </span>}
        {after !== '' && <ins>{after}</ins>}
      </span>
    </li>
  );
}
