import type { VNode } from 'preact';
import { type Field, problemOf } from './draft';

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
