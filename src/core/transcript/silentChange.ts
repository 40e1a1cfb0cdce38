/** A message on the tape: of an interaction's request by its place from 0, or its answer. */
export interface MessagePlace {
  readonly interaction: number;
  readonly message: number | 'answer';
}

/**
 * What is otherwise in a request than in the one before it, in the part that merely repeats: nobody said so, and yet the
 * model read something else.
 */
export type SilentChange =
  | { readonly type: 'edited'; readonly before: MessagePlace; readonly after: MessagePlace }
  | { readonly type: 'dropped'; readonly before: MessagePlace }
  | { readonly type: 'inserted'; readonly after: MessagePlace }
  | { readonly type: 'moved'; readonly before: MessagePlace; readonly after: MessagePlace }
  | SetupChange;

/** A change of what stands around the messages; `before` and `after` are interactions. */
export type SetupChange = {
  readonly type: 'tool-added' | 'tool-removed' | 'tool-changed' | 'tools-reordered' | 'param-changed' | 'model-changed';
  /** Of the tool or the parameter. */
  readonly name: string;
  readonly before: number;
  readonly after: number;
};
