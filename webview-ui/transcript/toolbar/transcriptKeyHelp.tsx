import type { VNode } from 'preact';
import { message, t } from '../../../src/core/text/l10n';
import { KeyHelpDialog } from '../../base/keyHelpDialog';
import { sentence } from '../../base/sentence';
import { keyNames, TRANSCRIPT_COMMANDS, type TranscriptCommand } from '../commands';

const GROUPS = [...new Set(TRANSCRIPT_COMMANDS.map(({ group }) => group))];

const READING: readonly string[] = [
  message('The transcript is a feed of messages. Each is labelled with its role, its interaction, and its tokens.'),
  message('Messages, interactions, and the outline have keys of their own; tool calls and folded texts are buttons.'),
  message('Matches, filters, runs, playback, and what is still loading are announced.'),
];

/** The keyboard shortcuts of the transcript, in a dialog. */
export function TranscriptKeyHelp({ onClose }: { onClose(): void }): VNode {
  const footer = (
    <p class="quiet">
      {sentence(
        'Actions without a key are in the menu ({0}). {1} moves through everything else.',
        <kbd>.</kbd>,
        <kbd>Tab</kbd>,
      )}
    </p>
  );
  return (
    <KeyHelpDialog class="dialog key-help" reading={READING} footer={footer} onClose={onClose}>
      <div class="key-groups">
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{t(group)}</h3>
            <dl>
              {TRANSCRIPT_COMMANDS.map(
                ({ id, group: own, label }) => own === group && <KeyLine key={id} id={id} label={label} />,
              )}
            </dl>
          </section>
        ))}
      </div>
    </KeyHelpDialog>
  );
}

function KeyLine({ id, label }: { readonly id: TranscriptCommand; readonly label: string }): VNode | null {
  // Any further keys are aliases that are not worth listing.
  const keys = keyNames(id).slice(0, 2);
  if (keys.length === 0) return null;
  return (
    <div>
      <dt>{keys.map((key) => [<kbd key={key}>{key}</kbd>, ' '])}</dt>
      <dd>{t(label)}</dd>
    </div>
  );
}
