import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { HeldRelease, HeldResponse } from '../../../src/contracts/holds';
import type { ShownHeld } from '../../../src/contracts/transcript/transcriptHolds';
import { grouped } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';
import { sentence } from '../../base/sentence';
import { type Draft, draftOf, editsOf, type Field, fieldsOf, isJson, problemOf } from '../edit/draft';
import { FieldEditor, onFormKey } from '../edit/responseForm';
import { TextDiff } from '../message/diffText';
import { useActions } from '../state/actions';
import { useHolds } from './holds';

/** The first held request, with what can be done about it, below the conversation. */
export function HoldBar({ onGo }: { onGo(interaction: number): void }): VNode | null {
  const { held } = useHolds();
  const [first, ...others] = held;
  if (first === undefined) return null;
  return <HeldSection key={`${first.session} ${first.id}`} held={first} others={others.length} onGo={onGo} />;
}

interface HeldSectionProps {
  readonly held: ShownHeld;
  readonly others: number;
  onGo(interaction: number): void;
}

function HeldSection({ held, others, onGo }: HeldSectionProps): VNode {
  const { releaseHeld } = useActions();
  // A response is only held to be edited.
  const [isEditing, setEditing] = useState(held.stage === 'response' && held.response !== null);
  const release = (release: HeldRelease): void => releaseHeld({ session: held.session, held: held.id, release });
  return (
    <section class="hold" aria-label={t('Held request')}>
      <div class="column">
        <h2>
          <span class="breakpoint-dot" aria-hidden="true" />
          <span>
            {sentence(
              'Held at {0}',
              <button type="button" class="link" onClick={() => onGo(held.interaction)}>
                #{held.interaction + 1}
              </button>,
            )}
          </span>
          <code>{held.to}</code>
          {others > 0 && <span class="quiet">{t('and {0} more', grouped(others))}</span>}
        </h2>
        <div class="hold-scroll">
          <p>{held.headline}</p>
          {!isEditing && <HeldDetails held={held} />}
          {isEditing && held.response !== null && (
            <HeldForm
              interaction={held.interaction}
              response={held.response}
              onSend={(edited) => release({ type: 'respond', ...edited })}
              onCancel={() => setEditing(false)}
            />
          )}
        </div>
        {!isEditing && <HeldActions held={held} onEdit={() => setEditing(true)} onRelease={release} />}
      </div>
    </section>
  );
}

function HeldDetails({ held: { explanation, diff, continues } }: { readonly held: ShownHeld }): VNode {
  const changes = useRef<HTMLDetailsElement>(null);
  // A long request begins with what is as recorded.
  useEffect(() => changes.current?.querySelector('ins, del')?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <>
      {diff.length > 0 && (
        <details open ref={changes}>
          <summary>{t('Changes from the recorded request')}</summary>
          <TextDiff diff={diff} />
        </details>
      )}
      {diff.length === 0 && explanation !== '' && (
        <details>
          <summary>{t('Show explanation')}</summary>
          <pre class="drift-message">{explanation}</pre>
        </details>
      )}
      <p class="quiet">{t(CONTINUES[continues])}</p>
    </>
  );
}

const CONTINUES: Readonly<Record<ShownHeld['continues'], string>> = {
  served: message('Continue sends the response as it is.'),
  refused: message('Continue refuses it: the tape has no recording of it. Edit Response begins with the nearest one.'),
  sent: message('Continue sends it, and records the response.'),
};

interface HeldActionsProps {
  readonly held: ShownHeld;
  onEdit(): void;
  onRelease(release: HeldRelease): void;
}

function HeldActions({ held, onEdit, onRelease }: HeldActionsProps): VNode {
  const asks = held.mode === 'record' && held.stage === 'request';
  const [isReleased, setReleased] = useState(false);
  useEffect(() => {
    if (!isReleased) return undefined;
    // It is still here where the release failed.
    const timer = setTimeout(() => setReleased(false), 1000);
    return () => clearTimeout(timer);
  }, [isReleased]);
  const release = (type: HeldRelease['type']) => (): void => {
    setReleased(true);
    onRelease({ type });
  };
  return (
    <p class="hold-actions">
      <button
        type="button"
        class="button"
        disabled={isReleased}
        title={`${t('Continue')} (F5)`}
        onClick={release('continue')}
      >
        {t('Continue')}
      </button>
      <button
        type="button"
        class="button-secondary"
        disabled={isReleased}
        title={`${t('Continue, and hold the next request')} (F10)`}
        onClick={release('step')}
      >
        {t('Step to Next')}
      </button>
      <button
        type="button"
        class="button-secondary"
        disabled={isReleased || (!asks && held.response === null)}
        title={
          asks ? t('Send the request, and edit its response before the agent gets it') : t('Edit what the agent gets')
        }
        onClick={asks ? release('ask') : onEdit}
      >
        {t('Edit Response…')}
      </button>
      <button
        type="button"
        class="button-secondary"
        disabled={isReleased}
        title={`${t('Refuse the request and end the program')} (Shift+F5)`}
        onClick={release('stop')}
      >
        {t('Stop')}
      </button>
    </p>
  );
}

type Edited = Pick<HeldRelease, 'edits' | 'body'>;

interface HeldFormProps {
  readonly interaction: number;
  readonly response: HeldResponse;
  onSend(edited: Edited): void;
  onCancel(): void;
}

/** The form that edits the response of a held request: its parts, or its whole body. */
function HeldForm({ interaction, response, onSend, onCancel }: HeldFormProps): VNode {
  const { fields: parts, body } = response;
  const partFields = fieldsOf(parts);
  const hasParts = partFields.some(({ id }) => id !== 'status');
  const [isWhole, setWhole] = useState(!hasParts && body !== undefined);
  const [draft, setDraft] = useState<Draft>({ ...draftOf(parts), ...(body !== undefined && { body }) });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('textarea, input')?.focus(), [isWhole]);
  const fields = isWhole ? wholeFields(body ?? '', partFields) : partFields;
  const isValid = fields.every((field) => problemOf(field, draft[field.id] ?? '') === undefined);
  const send = (): void => {
    if (isValid) onSend(editedOf(interaction, response, draft, isWhole));
  };
  return (
    <form
      ref={form}
      class="response-editor"
      aria-label={t('Edit the response that the agent gets')}
      onKeyDown={(event) => onFormKey(event, send, onCancel)}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div class="editor-fields">
        {fields.map((field) => (
          <FieldEditor
            key={field.id}
            field={field}
            value={draft[field.id] ?? ''}
            onInput={(value) => setDraft({ ...draft, [field.id]: value })}
          />
        ))}
      </div>
      <footer>
        <button type="submit" class="button" disabled={!isValid}>
          {t('Continue with This Response')}
        </button>
        <button type="button" class="button-secondary" onClick={onCancel}>
          {t('Cancel')}
        </button>
        {hasParts && body !== undefined && (
          <button type="button" class="button-secondary" onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('Edit Parts') : t('Edit Whole Body')}
          </button>
        )}
      </footer>
    </form>
  );
}

function wholeFields(body: string, parts: readonly Field[]): readonly Field[] {
  const status = parts.filter(({ id }) => id === 'status');
  return [{ id: 'body', label: t('Body'), kind: isJson(body) ? 'json' : 'text' }, ...status];
}

function editedOf(interaction: number, { fields, body }: HeldResponse, draft: Draft, isWhole: boolean): Edited {
  const edits = editsOf(interaction, fields, draft);
  if (!isWhole) return { edits };
  const status = edits.filter(({ type }) => type === 'status');
  return draft.body === body ? { edits: status } : { edits: status, body: draft.body };
}
