import type { VNode } from 'preact';
import { message, t } from '../../src/core/text/l10n';
import { KeyHelpDialog } from '../base/keyHelpDialog';
import { keyLabel } from '../base/keyLabel';
import { KEY_BINDINGS, keyOf, type ReviewAction } from './session/reviewKeys';

export type KeyHint = readonly [action: ReviewAction, message: string];

/** The most useful keys, on one line. */
export function KeyHints({ hints }: { readonly hints: readonly KeyHint[] }): VNode {
  return (
    <p class="hints" aria-hidden="true">
      {hints.map(([action, label]) => (
        <span key={action}>
          <kbd>{keyOf(action).label}</kbd> {t(label)}
        </span>
      ))}
    </p>
  );
}

const READING: readonly string[] = [
  message('Changes are in a list. The selected change is shown beside it, and its title is announced.'),
  message('Each decision is announced with what is left to review. Open in Diff Editor has an accessible diff viewer.'),
  message('As text, the review has every change in full, with its decision.'),
];

/** The keyboard shortcuts of the review, in a dialog. */
export function ReviewKeyHelp({ onClose }: { onClose(): void }): VNode {
  return (
    <KeyHelpDialog class="key-help" reading={READING} onClose={onClose}>
      <dl>
        {KEY_BINDINGS.map(({ action, keys, label }) => (
          <div key={action}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{keyLabel(key)}</kbd>
              ))}
            </dt>
            <dd>{t(label)}</dd>
          </div>
        ))}
      </dl>
    </KeyHelpDialog>
  );
}
