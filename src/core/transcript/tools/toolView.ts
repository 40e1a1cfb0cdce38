/** What a well-known tool was asked to do, as it is shown in place of its arguments. */
export interface ToolView {
  readonly kind: ToolViewKind;
  /** In one line: the command, the file, the query. */
  readonly gist: string;
  /** The command or the new content of a file, where it may have several lines. */
  readonly text?: string;
  /** The folder in which a command runs, if the arguments have it. */
  readonly cwd?: string;
  /** The one file that is read or written. */
  readonly file?: string;
  /** The lines of an edit. */
  readonly lines?: readonly EditLine[];
  /** The other arguments, such as `timeout: 120000`. */
  readonly others: readonly string[];
}

export type ToolViewKind = 'command' | 'edit' | 'write' | 'read' | 'search' | 'fetch' | 'action';

/** A line of an edit; `place` says where the lines after it are, such as `@@ -1,4 +1,5 @@` or the name of a file. */
export interface EditLine {
  readonly type: 'same' | 'removed' | 'added' | 'place';
  readonly text: string;
}
