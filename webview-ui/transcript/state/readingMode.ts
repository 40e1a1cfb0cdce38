import type { EntrySummary } from '../../../src/core/transcript/summary';
import type { Mode, Opened } from './viewState';

/** Instructions longer than this start closed: every tape of a suite repeats them. */
const LONG_SYSTEM_CHARACTERS = 320;

const TEXT_LINES: Readonly<Record<Mode, number>> = { summary: 12, normal: 40, verbose: Number.POSITIVE_INFINITY };
const TOOL_LINES: Readonly<Record<Mode, number>> = { summary: 6, normal: 12, verbose: Number.POSITIVE_INFINITY };

/** How many lines of a message or a tool text are shown before it folds. */
export function textLines(mode: Mode): number {
  return TEXT_LINES[mode];
}

export function toolLines(mode: Mode): number {
  return TOOL_LINES[mode];
}

/** Is the message there at all? A summary leaves instructions out, until the reader or a search asks for them. */
export function isShown(mode: Mode, entry: EntrySummary, opened: Opened | undefined): boolean {
  return mode !== 'summary' || !isInstruction(entry) || opened?.entry === true;
}

/** Is the message open, or one line? */
export function isEntryOpen(mode: Mode, entry: EntrySummary, opened: Opened | undefined): boolean {
  return opened?.entry ?? (mode === 'verbose' || !startsClosed(mode, entry));
}

/** Are the arguments and the result of a tool call (`call0`) to be seen? */
export function isCallOpen(mode: Mode, call: string, opened: Opened | undefined): boolean {
  return opened?.[call] ?? mode !== 'summary';
}

function startsClosed(mode: Mode, entry: EntrySummary): boolean {
  if (entry.role === 'tool') return mode === 'summary';
  return isInstruction(entry) && entry.size > LONG_SYSTEM_CHARACTERS;
}

function isInstruction({ role }: EntrySummary): boolean {
  return role === 'system' || role === 'developer';
}
