import { message } from '../../src/core/text/l10n';
import { keyLabel } from '../base/keyLabel';

const MOVE = message('Move');
const VIEW = message('View');
const FIND = message('Find');
const EDIT = message('Edit');
const EXPORT = message('Copy and Export');

/** The sections of the help, as messages. */
type Group = typeof MOVE | typeof VIEW | typeof FIND | typeof EDIT | typeof EXPORT;
/** The sections of an interaction's menu. */
type MenuPart = 'change' | 'redact' | 'fork' | 'copy' | 'file';

interface CommandRow {
  readonly id: string;
  readonly group: Group;
  /** A message, shown in the help and in the menu. */
  readonly label: string;
  /** As `chordOf` writes them. A command without keys is in the menu. */
  readonly keys: readonly string[];
  readonly menu?: MenuPart;
}

/**
 * Every command of a transcript with its keys: the source of the help, the menu and the titles of buttons. A letter only reads: what
 * changes the tape has a named key or a modifier. Nor does it mean something else in the review.
 */
export const TRANSCRIPT_COMMANDS = [
  { id: 'next', group: MOVE, label: message('Next Message'), keys: ['j', 'ArrowDown'] },
  { id: 'previous', group: MOVE, label: message('Previous Message'), keys: ['k', 'ArrowUp'] },
  { id: 'nextInteraction', group: MOVE, label: message('Next Interaction'), keys: ['n'] },
  { id: 'previousInteraction', group: MOVE, label: message('Previous Interaction'), keys: ['p'] },
  { id: 'first', group: MOVE, label: message('First Message'), keys: ['Home'] },
  { id: 'last', group: MOVE, label: message('Last Message'), keys: ['End'] },
  { id: 'outline', group: MOVE, label: message('Toggle Outline'), keys: ['o'] },
  { id: 'agents', group: MOVE, label: message('Toggle Agents'), keys: ['b'] },
  { id: 'timeline', group: MOVE, label: message('Focus Timeline'), keys: ['m'] },
  { id: 'back', group: MOVE, label: message('Close, or Go Back to the Message'), keys: ['Escape'] },
  { id: 'toggle', group: VIEW, label: message('Expand or Collapse Message'), keys: ['Enter'] },
  { id: 'source', group: VIEW, label: message('Toggle Source'), keys: ['x'] },
  { id: 'play', group: VIEW, label: message('Play Streamed Response'), keys: ['w'] },
  { id: 'slower', group: VIEW, label: message('Play Slower'), keys: ['<'] },
  { id: 'faster', group: VIEW, label: message('Play Faster'), keys: ['>'] },
  { id: 'summary', group: VIEW, label: message('Summary'), keys: ['1'] },
  { id: 'normal', group: VIEW, label: message('Normal'), keys: ['2'] },
  { id: 'verbose', group: VIEW, label: message('Verbose'), keys: ['3'] },
  { id: 'help', group: VIEW, label: message('Keyboard Shortcuts'), keys: ['?'] },
  { id: 'find', group: FIND, label: message('Find'), keys: ['/', 'Ctrl+f'] },
  { id: 'nextMatch', group: FIND, label: message('Next Match'), keys: ['F3'] },
  { id: 'previousMatch', group: FIND, label: message('Previous Match'), keys: ['Shift+F3'] },
  { id: 'filter', group: FIND, label: message('Filter'), keys: ['f'] },
  { id: 'breakpoint', group: EDIT, label: message('Toggle Breakpoint'), keys: ['F9'] },
  { id: 'menu', group: EDIT, label: message('More Actions'), keys: ['.', 'Shift+F10', 'ContextMenu'] },
  { id: 'edit', group: EDIT, label: message('Edit Response'), keys: ['F2'], menu: 'change' },
  { id: 'duplicate', group: EDIT, label: message('Duplicate'), keys: ['Alt+Shift+ArrowDown'], menu: 'change' },
  { id: 'add', group: EDIT, label: message('Add Empty Interaction'), keys: ['Alt+Enter'], menu: 'change' },
  { id: 'moveUp', group: EDIT, label: message('Move Up'), keys: ['Alt+ArrowUp'], menu: 'change' },
  { id: 'moveDown', group: EDIT, label: message('Move Down'), keys: ['Alt+ArrowDown'], menu: 'change' },
  { id: 'delete', group: EDIT, label: message('Delete'), keys: ['Delete'], menu: 'change' },
  { id: 'redact', group: EDIT, label: message('Redact a Value\u2026'), keys: [], menu: 'redact' },
  { id: 'fork', group: EDIT, label: message('Fork from Here\u2026'), keys: [], menu: 'fork' },
  { id: 'makeCase', group: EDIT, label: message('Make a Case of This Run\u2026'), keys: [], menu: 'fork' },
  { id: 'openSource', group: EXPORT, label: message('Open Source to the Side'), keys: ['X'] },
  { id: 'copyMarkdown', group: EXPORT, label: message('Copy as Markdown'), keys: ['c'], menu: 'copy' },
  { id: 'copyText', group: EXPORT, label: message('Copy as Text'), keys: [], menu: 'copy' },
  { id: 'copyJson', group: EXPORT, label: message('Copy as JSON'), keys: [], menu: 'copy' },
  { id: 'copyCurl', group: EXPORT, label: message('Copy as cURL'), keys: [], menu: 'copy' },
  { id: 'copyCase', group: EXPORT, label: message('Copy as Case (TOML)'), keys: [], menu: 'copy' },
  { id: 'copyLink', group: EXPORT, label: message('Copy Link'), keys: ['l'], menu: 'copy' },
  { id: 'openTranscriptAsText', group: EXPORT, label: message('Open Transcript as Text'), keys: [], menu: 'file' },
  { id: 'exportTranscript', group: EXPORT, label: message('Export Transcript as Web Page…'), keys: [], menu: 'file' },
] as const satisfies readonly CommandRow[];

type Row = (typeof TRANSCRIPT_COMMANDS)[number];
export type TranscriptCommand = Row['id'];
/** The commands that are also in an interaction's menu. */
export type MenuCommand = Extract<Row, { readonly menu: MenuPart }>['id'];

/** The keys of a command, as the interface writes them. */
export function keyNames(id: TranscriptCommand): readonly string[] {
  const row: CommandRow | undefined = TRANSCRIPT_COMMANDS.find((command) => command.id === id);
  return (row?.keys ?? []).map(keyLabel);
}
