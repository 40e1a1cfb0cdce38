import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ScrollTarget } from '../rows/useVirtualRows';
import { entryKey } from '../state/viewModel';
import { type Draft, type Field, fieldsOf, problemOf } from './draft';
import { type OpenEditor, useEditing } from './editing';

/** An answer with everything that can be changed of it, in the place of the answer. */
export function ResponseForm({ editor }: { readonly editor: OpenEditor }): VNode {
  const { apply, cancel, type } = useEditing();
  const form = useRef<HTMLFormElement>(null);
  const fields = fieldsOf(editor.answer);
  const isRight = problemsOf(fields, editor.draft).length === 0;
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('textarea, input, button')?.focus();
    showWhole(form.current);
  }, [editor.interaction]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') cancel();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      if (isRight) apply();
    } else if (!isOwnKey(event)) return;
    else {
      // VS Code would undo the last change of the document; while something is typed, the field undoes its own.
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    if (isRight) apply();
  };
  return (
    <form
      ref={form}
      class="answer-editor"
      aria-label={`Edit the answer of interaction ${editor.interaction + 1}`}
      onKeyDown={onKeyDown}
      onSubmit={onSubmit}
    >
      <div class="editor-fields">
        {fields.map((field) => (
          <FieldEditor
            key={field.id}
            field={field}
            value={editor.draft[field.id] ?? ''}
            onInput={(value) => type(field.id, value)}
          />
        ))}
      </div>
      {fields.length === 0 && (
        <p class="quiet">Nothing of this answer can be changed here. Change it in the text editor.</p>
      )}
      <footer>
        <button type="submit" class="button" disabled={!isRight || fields.length === 0}>
          Apply
        </button>
        <button type="button" class="button-secondary" onClick={cancel}>
          Cancel
        </button>
        <span class="quiet">
          <kbd>Ctrl+Enter</kbd> applies, <kbd>Esc</kbd> cancels
        </span>
      </footer>
    </form>
  );
}

/** Its buttons too, where there is room for all of it. */
function showWhole(form: HTMLElement | null): void {
  if (form !== null && form.offsetHeight < innerHeight / 2) form.scrollIntoView({ block: 'nearest' });
}

function problemsOf(fields: readonly Field[], draft: Draft): string[] {
  return fields.flatMap((field) => problemOf(field, draft[field.id] ?? '') ?? []);
}

function isOwnKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && /^[zy]$/i.test(key);
}

interface FieldEditorProps {
  readonly field: Field;
  readonly value: string;
  onInput(value: string): void;
}

/** A field to type into, and what is wrong with what was typed. */
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

/** Goes to the answer that is to be edited, where it is so far away that it is not on the page. */
export function useScrollToEditor(go: (goal: ScrollTarget) => void): void {
  const interaction = useEditing().editor?.interaction;
  useEffect(() => {
    if (interaction === undefined || document.querySelector('.answer-editor') !== null) return;
    go({ key: entryKey(interaction, 'response'), offset: 12 });
  }, [interaction]);
}
