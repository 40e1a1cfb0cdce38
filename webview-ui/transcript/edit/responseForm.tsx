import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../src/core/text/l10n';
import { sentence } from '../../base/sentence';
import type { ScrollTarget } from '../rows/useVirtualRows';
import { entryKey } from '../state/viewModel';
import { type Draft, type Field, fieldsOf, problemOf } from './draft';
import { useEditing } from './editing';
import type { OpenEditor } from './editingSession';

/** The form that edits a response in its place. */
export function ResponseForm({ editor }: { readonly editor: OpenEditor }): VNode {
  const { session } = useEditing();
  const form = useRef<HTMLFormElement>(null);
  const fields = fieldsOf(editor.response);
  const isValid = problemsOf(fields, editor.draft).length === 0;
  const apply = (): void => {
    if (isValid) void session.apply();
  };
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('textarea, input, button')?.focus();
    revealForm(form.current);
  }, [editor.interaction]);
  return (
    <form
      ref={form}
      class="response-editor"
      aria-label={t('Edit the response of interaction {0}', editor.interaction + 1)}
      onKeyDown={(event) => onFormKey(event, apply, () => session.cancel())}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div class="editor-fields">
        {fields.map((field) => (
          <FieldEditor
            key={field.id}
            field={field}
            value={editor.draft[field.id] ?? ''}
            onInput={(value) => session.type(field.id, value)}
          />
        ))}
      </div>
      {fields.length === 0 && (
        <p class="quiet">{t('No part of this response can be edited here. Edit it in the text editor instead.')}</p>
      )}
      <FormButtons canApply={isValid && fields.length > 0} onCancel={() => session.cancel()} />
    </form>
  );
}

function FormButtons({ canApply, onCancel }: { readonly canApply: boolean; onCancel(): void }): VNode {
  return (
    <footer>
      <button type="submit" class="button" disabled={!canApply}>
        {t('Apply')}
      </button>
      <button type="button" class="button-secondary" onClick={onCancel}>
        {t('Cancel')}
      </button>
      <span class="quiet">{sentence('{0} to apply, {1} to cancel', <kbd>Ctrl+Enter</kbd>, <kbd>Esc</kbd>)}</span>
    </footer>
  );
}

/** Applies or cancels a form that edits a response. */
export function onFormKey(event: KeyboardEvent, apply: () => void, cancel: () => void): void {
  if (event.isComposing) return;
  const { key } = event;
  const hasControl = event.ctrlKey || event.metaKey;
  const isApply = key === 'Enter' && hasControl;
  const isCancel = key === 'Escape';
  // Undo and redo: VS Code would undo the last edit of the document. While text is typed, the field undoes its own.
  const isFieldHistory = hasControl && /^[zy]$/i.test(key);
  if (isApply || isCancel || isFieldHistory) event.stopPropagation();
  if (isApply || isCancel) event.preventDefault();
  if (isApply) apply();
  if (isCancel) cancel();
}

/** Scrolls to the whole form with its buttons, unless it is taller than half the window. */
function revealForm(form: HTMLElement | null): void {
  if (form !== null && form.offsetHeight < innerHeight / 2) form.scrollIntoView({ block: 'nearest' });
}

function problemsOf(fields: readonly Field[], draft: Draft): string[] {
  return fields.flatMap((field) => problemOf(field, draft[field.id] ?? '') ?? []);
}

interface FieldEditorProps {
  readonly field: Field;
  readonly value: string;
  onInput(value: string): void;
}

/** A labelled field, with why its value is not valid. */
export function FieldEditor({ field, value, onInput }: FieldEditorProps): VNode {
  const { id, label, kind } = field;
  const problem = problemOf(field, value);
  const inputId = `edit-${id}`;
  const problemId = `${inputId}-problem`;
  const shared = {
    id: inputId,
    value,
    'aria-invalid': problem !== undefined,
    ...(problem === undefined ? {} : { 'aria-describedby': problemId }),
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      onInput(currentTarget.value),
  };
  return (
    <div class={`editor-field editor-${kind}`}>
      <label for={inputId}>{label}</label>
      {kind === 'number' ? (
        <input type="text" inputMode="numeric" size={8} {...shared} />
      ) : (
        <textarea rows={2} spellcheck={kind === 'text'} {...shared} />
      )}
      {problem !== undefined && (
        <p class="editor-problem" id={problemId} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Scrolls to the editor when its response is too far away to be on the page. */
export function useScrollToEditor(go: (goal: ScrollTarget) => void): void {
  const interaction = useEditing().editor?.interaction;
  useEffect(() => {
    if (interaction === undefined || document.querySelector('.response-editor') !== null) return;
    go({ key: entryKey(interaction, 'response'), offset: 12 });
  }, [interaction]);
}
