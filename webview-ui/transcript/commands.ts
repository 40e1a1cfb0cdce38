/** In which part of the help a command stands. */
type Group = 'Move' | 'Look' | 'Find' | 'Change' | 'Take along';
/** In which part of the menu of an interaction a command stands. */
type MenuPart = 'change' | 'redact' | 'copy' | 'file';

interface CommandRow {
  readonly id: string;
  readonly group: Group;
  /** What it does, as the help and the menu say it. */
  readonly does: string;
  /** As `chordOf` writes them. What has none is in the menu. */
  readonly keys: readonly string[];
  readonly menu?: MenuPart;
}

/** Everything that can be done with a transcript, and the keys that do it. The help, the menu and the titles tell these. */
export const TRANSCRIPT_COMMANDS = [
  { id: 'next', group: 'Move', does: 'Next message', keys: ['j', 'ArrowDown'] },
  { id: 'previous', group: 'Move', does: 'Previous message', keys: ['k', 'ArrowUp'] },
  { id: 'nextInteraction', group: 'Move', does: 'Next interaction', keys: ['n'] },
  { id: 'previousInteraction', group: 'Move', does: 'Previous interaction', keys: ['p'] },
  { id: 'first', group: 'Move', does: 'First message', keys: ['Home'] },
  { id: 'last', group: 'Move', does: 'Last message', keys: ['End'] },
  { id: 'outline', group: 'Move', does: 'Outline', keys: ['o'] },
  { id: 'timeline', group: 'Move', does: 'Timeline', keys: ['t'] },
  { id: 'back', group: 'Move', does: 'Back to the message, and out of what was opened', keys: ['Escape'] },
  { id: 'toggle', group: 'Look', does: 'Open or close the message', keys: ['Enter'] },
  { id: 'raw', group: 'Look', does: 'Show the recorded source', keys: ['r'] },
  { id: 'play', group: 'Look', does: 'Play a streamed answer as it came', keys: ['s'] },
  { id: 'slower', group: 'Look', does: 'Play slower', keys: ['<'] },
  { id: 'faster', group: 'Look', does: 'Play faster', keys: ['>'] },
  { id: 'summary', group: 'Look', does: 'Summary', keys: ['1'] },
  { id: 'normal', group: 'Look', does: 'Normal', keys: ['2'] },
  { id: 'verbose', group: 'Look', does: 'Verbose', keys: ['3'] },
  { id: 'help', group: 'Look', does: 'Keys', keys: ['?'] },
  { id: 'find', group: 'Find', does: 'Find', keys: ['/', 'Ctrl+f'] },
  { id: 'nextMatch', group: 'Find', does: 'Next match', keys: ['F3'] },
  { id: 'previousMatch', group: 'Find', does: 'Previous match', keys: ['Shift+F3'] },
  { id: 'filter', group: 'Find', does: 'Filter', keys: ['f'] },
  { id: 'menu', group: 'Change', does: 'More actions', keys: ['.', 'Shift+F10', 'ContextMenu'] },
  { id: 'edit', group: 'Change', does: 'Edit Answer', keys: ['F2'], menu: 'change' },
  { id: 'duplicate', group: 'Change', does: 'Duplicate', keys: ['d'], menu: 'change' },
  { id: 'add', group: 'Change', does: 'Add an Empty One', keys: ['a'], menu: 'change' },
  { id: 'moveUp', group: 'Change', does: 'Move Up', keys: ['Alt+ArrowUp'], menu: 'change' },
  { id: 'moveDown', group: 'Change', does: 'Move Down', keys: ['Alt+ArrowDown'], menu: 'change' },
  { id: 'delete', group: 'Change', does: 'Delete', keys: ['Delete'], menu: 'change' },
  { id: 'redact', group: 'Change', does: 'Redact a Value\u2026', keys: [], menu: 'redact' },
  { id: 'source', group: 'Take along', does: 'Open the source beside', keys: ['e'] },
  { id: 'copyMarkdown', group: 'Take along', does: 'Copy as Markdown', keys: ['c'], menu: 'copy' },
  { id: 'copyText', group: 'Take along', does: 'Copy as Text', keys: [], menu: 'copy' },
  { id: 'copyJson', group: 'Take along', does: 'Copy as JSON', keys: [], menu: 'copy' },
  { id: 'copyCurl', group: 'Take along', does: 'Copy as curl', keys: [], menu: 'copy' },
  { id: 'copyCase', group: 'Take along', does: 'Copy as Case (TOML)', keys: [], menu: 'copy' },
  { id: 'copyLink', group: 'Take along', does: 'Copy Link', keys: ['l'], menu: 'copy' },
  { id: 'openTranscriptAsText', group: 'Take along', does: 'Open Transcript as Text', keys: [], menu: 'file' },
  { id: 'exportTranscript', group: 'Take along', does: 'Export Transcript\u2026', keys: [], menu: 'file' },
] as const satisfies readonly CommandRow[];

type Row = (typeof TRANSCRIPT_COMMANDS)[number];
export type TranscriptCommand = Row['id'];
/** A command that the menu of an interaction offers too. */
export type MenuCommand = Extract<Row, { readonly menu: MenuPart }>['id'];

/** The keys of a command as people read them. */
export function keyNames(id: TranscriptCommand): readonly string[] {
  const row: CommandRow | undefined = TRANSCRIPT_COMMANDS.find((command) => command.id === id);
  return (row?.keys ?? []).map(keyName);
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '\u2191',
  ArrowDown: '\u2193',
  Escape: 'Esc',
  ContextMenu: 'Menu',
};

function keyName(chord: string): string {
  const parts = chord === '+' ? [chord] : chord.split('+');
  return parts.map((part) => NAMES[part] ?? (parts.length > 1 ? capital(part) : part)).join('+');
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
