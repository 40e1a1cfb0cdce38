import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface NoteFieldProps {
  readonly note: string;
  /** Grows with every request to write, each of which leads into the field. */
  readonly request: number;
  onNote(text: string): void;
}

/** Why, in the words of who decides; it is kept with the decision. */
export function NoteField({ note, request, onNote }: NoteFieldProps): VNode {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (request > 0) input.current?.focus();
  }, [request]);
  return (
    <label class="note">
      <span class="quiet">Note</span>
      <input
        ref={input}
        type="text"
        aria-keyshortcuts="e"
        placeholder="Why? Kept with the decision (E)"
        value={note}
        onInput={({ currentTarget }) => onNote(currentTarget.value)}
        onKeyDown={({ key }) => (key === 'Enter' || key === 'Escape') && input.current?.blur()}
      />
    </label>
  );
}
