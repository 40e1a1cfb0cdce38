import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SameChange } from '../../src/contracts/pages/reviewPanel';
import { counted, grouped } from '../../src/core/text/counts';
import { t } from '../../src/core/text/l10n';
import { Icon } from '../base/icon';
import { ActionButton } from './actionButton';
import type { ReviewActions } from './session/reviewKeys';

interface SameLineProps {
  /** In how many files the change is the same, this one included. */
  readonly files: number;
  readonly actions: ReviewActions;
  readonly disabled: boolean;
}

/** A notice that a change is the same in other files, with a button for a decision on all of them. */
export function SameLine({ files, actions, disabled }: SameLineProps): VNode {
  return (
    <p class="same-line quiet">
      {counted(files - 1, 'The same change is in {0} other file.', 'The same change is in {0} other files.')}{' '}
      <ActionButton
        action="same"
        actions={actions}
        kind="link"
        title={t('Show this change in all files and decide once')}
        disabled={disabled}
      >
        {t('Decide on All {0}…', grouped(files))}
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
        <h2 id="same-title">{counted(files, '{1} in {0} file', '{1} in {0} files', first?.title ?? '')}</h2>
        <button type="button" class="button-quiet" aria-label={t('Close')} onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <p id="same-about" class="quiet">
        {t('The same change in each. Decide once; Undo takes the decision back in all of them.')}
      </p>
      {/* A list that scrolls is reached by the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
      <ul tabIndex={0} aria-label={t('The changes')}>
        {changes.map((change, at) => (
          <Member key={`${change.path} ${at}`} change={change} />
        ))}
      </ul>
      <footer>
        <button type="button" class="button-secondary" onClick={() => onDecide('rejected')}>
          <Icon name="close" /> {counted(files, 'Reject in {0} File', 'Reject in {0} Files')}
        </button>
        <button type="button" class="button" ref={accept} onClick={() => onDecide('accepted')}>
          <Icon name="check" /> {counted(files, 'Accept in {0} File', 'Accept in {0} Files')}
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
        {before !== '' && after !== '' && <span class="visually-hidden"> {t('becomes')} </span>}
        {after !== '' && <ins>{after}</ins>}
      </span>
    </li>
  );
}
