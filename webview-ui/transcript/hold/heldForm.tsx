import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { HeldRelease, HeldResponse } from '../../../src/contracts/holds';
import { t } from '../../../src/core/text/l10n';
import { type Draft, draftOf, editsOf, type Field, fieldsOf, isJson, problemOf } from '../edit/draft';
import { FieldEditor, onFormKey } from '../edit/responseForm';

type Edited = Pick<HeldRelease, 'edits' | 'body'>;

interface HeldFormProps {
  readonly interaction: number;
  readonly response: HeldResponse;
  onSend(edited: Edited): void;
  onCancel(): void;
}

/** The form that edits the response of a held request: its parts, or its whole body. */
export function HeldForm({ interaction, response, onSend, onCancel }: HeldFormProps): VNode {
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
