import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../base/icon';
import { ScreenReaderHelp } from '../../base/screenReaderHelp';
import { keyNames, TRANSCRIPT_COMMANDS, type TranscriptCommand } from '../commands';

const GROUPS = [...new Set(TRANSCRIPT_COMMANDS.map(({ group }) => group))];

const READING: readonly string[] = [
  'The transcript is a feed of messages. Each is labelled with its role, its interaction, and its tokens.',
  'Messages, interactions, and the outline have keys of their own; tool calls and folded texts are buttons.',
  'Matches, filters, runs, playback, and what is still loading are announced.',
];

/** The keyboard shortcuts of the transcript, in a dialog. */
export function TranscriptKeyHelp({ onClose }: { onClose(): void }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog key-help" aria-labelledby="key-help-title" onClose={onClose}>
      <header>
        <h2 id="key-help-title">Keyboard shortcuts</h2>
        <button type="button" class="button-quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <div class="key-groups">
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {TRANSCRIPT_COMMANDS.map(
                ({ id, group: own, label }) => own === group && <KeyLine key={id} id={id} label={label} />,
              )}
            </dl>
          </section>
        ))}
      </div>
      <ScreenReaderHelp lines={READING} />
      <p class="quiet">
        Actions without a key are in the menu (<kbd>.</kbd>). <kbd>Tab</kbd> moves through everything else.
      </p>
    </dialog>
  );
}

function KeyLine({ id, label }: { readonly id: TranscriptCommand; readonly label: string }): VNode | null {
  // Any further keys are aliases that are not worth listing.
  const keys = keyNames(id).slice(0, 2);
  if (keys.length === 0) return null;
  return (
    <div>
      <dt>{keys.map((key) => [<kbd key={key}>{key}</kbd>, ' '])}</dt>
      <dd>{label}</dd>
    </div>
  );
}
