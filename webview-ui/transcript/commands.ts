/** The sections of the help. */
type Group = 'Move' | 'View' | 'Find' | 'Edit' | 'Copy and Export';
/** The sections of an interaction's menu. */
type MenuPart = 'change' | 'redact' | 'fork' | 'copy' | 'file';

interface CommandRow {
  readonly id: string;
  readonly group: Group;
  /** Shown in the help and in the menu. */
  readonly label: string;
  /** As `chordOf` writes them. A command without keys is in the menu. */
  readonly keys: readonly string[];
  readonly menu?: MenuPart;
}

/** Every command of a transcript with its keys: the source of the help, the menu and the titles of buttons. */
export const TRANSCRIPT_COMMANDS = [
  { id: 'next', group: 'Move', label: 'Next Message', keys: ['j', 'ArrowDown'] },
  { id: 'previous', group: 'Move', label: 'Previous Message', keys: ['k', 'ArrowUp'] },
  { id: 'nextInteraction', group: 'Move', label: 'Next Interaction', keys: ['n'] },
  { id: 'previousInteraction', group: 'Move', label: 'Previous Interaction', keys: ['p'] },
  { id: 'first', group: 'Move', label: 'First Message', keys: ['Home'] },
  { id: 'last', group: 'Move', label: 'Last Message', keys: ['End'] },
  { id: 'outline', group: 'Move', label: 'Toggle Outline', keys: ['o'] },
  { id: 'timeline', group: 'Move', label: 'Focus Timeline', keys: ['t'] },
  { id: 'back', group: 'Move', label: 'Close, or Go Back to the Message', keys: ['Escape'] },
  { id: 'toggle', group: 'View', label: 'Expand or Collapse Message', keys: ['Enter'] },
  { id: 'source', group: 'View', label: 'Toggle Source', keys: ['r'] },
  { id: 'play', group: 'View', label: 'Play Streamed Response', keys: ['s'] },
  { id: 'slower', group: 'View', label: 'Play Slower', keys: ['<'] },
  { id: 'faster', group: 'View', label: 'Play Faster', keys: ['>'] },
  { id: 'summary', group: 'View', label: 'Summary', keys: ['1'] },
  { id: 'normal', group: 'View', label: 'Normal', keys: ['2'] },
  { id: 'verbose', group: 'View', label: 'Verbose', keys: ['3'] },
  { id: 'help', group: 'View', label: 'Keyboard Shortcuts', keys: ['?'] },
  { id: 'find', group: 'Find', label: 'Find', keys: ['/', 'Ctrl+f'] },
  { id: 'nextMatch', group: 'Find', label: 'Next Match', keys: ['F3'] },
  { id: 'previousMatch', group: 'Find', label: 'Previous Match', keys: ['Shift+F3'] },
  { id: 'filter', group: 'Find', label: 'Filter', keys: ['f'] },
  { id: 'breakpoint', group: 'Edit', label: 'Toggle Breakpoint', keys: ['F9'] },
  { id: 'menu', group: 'Edit', label: 'More Actions', keys: ['.', 'Shift+F10', 'ContextMenu'] },
  { id: 'edit', group: 'Edit', label: 'Edit Response', keys: ['F2'], menu: 'change' },
  { id: 'duplicate', group: 'Edit', label: 'Duplicate', keys: ['d'], menu: 'change' },
  { id: 'add', group: 'Edit', label: 'Add Empty Interaction', keys: ['a'], menu: 'change' },
  { id: 'moveUp', group: 'Edit', label: 'Move Up', keys: ['Alt+ArrowUp'], menu: 'change' },
  { id: 'moveDown', group: 'Edit', label: 'Move Down', keys: ['Alt+ArrowDown'], menu: 'change' },
  { id: 'delete', group: 'Edit', label: 'Delete', keys: ['Delete'], menu: 'change' },
  { id: 'redact', group: 'Edit', label: 'Redact a Value\u2026', keys: [], menu: 'redact' },
  { id: 'fork', group: 'Edit', label: 'Fork from Here\u2026', keys: ['b'], menu: 'fork' },
  { id: 'openSource', group: 'Copy and Export', label: 'Open Source to the Side', keys: ['e'] },
  { id: 'copyMarkdown', group: 'Copy and Export', label: 'Copy as Markdown', keys: ['c'], menu: 'copy' },
  { id: 'copyText', group: 'Copy and Export', label: 'Copy as Text', keys: [], menu: 'copy' },
  { id: 'copyJson', group: 'Copy and Export', label: 'Copy as JSON', keys: [], menu: 'copy' },
  { id: 'copyCurl', group: 'Copy and Export', label: 'Copy as curl', keys: [], menu: 'copy' },
  { id: 'copyCase', group: 'Copy and Export', label: 'Copy as Case (TOML)', keys: [], menu: 'copy' },
  { id: 'copyLink', group: 'Copy and Export', label: 'Copy Link', keys: ['l'], menu: 'copy' },
  { id: 'openTranscriptAsText', group: 'Copy and Export', label: 'Open Transcript as Text', keys: [], menu: 'file' },
  { id: 'exportTranscript', group: 'Copy and Export', label: 'Export Transcript\u2026', keys: [], menu: 'file' },
] as const satisfies readonly CommandRow[];

type Row = (typeof TRANSCRIPT_COMMANDS)[number];
export type TranscriptCommand = Row['id'];
/** The commands that are also in an interaction's menu. */
export type MenuCommand = Extract<Row, { readonly menu: MenuPart }>['id'];

/** The keys of a command, as the interface writes them. */
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
