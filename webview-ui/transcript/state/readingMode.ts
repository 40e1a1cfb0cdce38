import type { EntrySummary } from '../../../src/core/transcript/summary';
import type { Mode, Opened } from './viewState';

/** Longer instructions start closed: every tape of a suite repeats them. */
const LONG_SYSTEM_CHARACTERS = 320;

const TEXT_LINES: Readonly<Record<Mode, number>> = { summary: 12, normal: 40, verbose: Number.POSITIVE_INFINITY };
const TOOL_LINES: Readonly<Record<Mode, number>> = { summary: 6, normal: 12, verbose: Number.POSITIVE_INFINITY };

/** How many lines of a message are shown before it folds. */
export function textLines(mode: Mode): number {
  return TEXT_LINES[mode];
}

/** How many lines of a tool's arguments or result are shown before they fold. */
export function toolLines(mode: Mode): number {
  return TOOL_LINES[mode];
}

/** Whether the message is listed. A summary leaves instructions out until the user or a search opens them. */
export function isShown(mode: Mode, entry: EntrySummary, opened: Opened | undefined): boolean {
  return mode !== 'summary' || !isInstruction(entry) || opened?.entry === true;
}

/** Whether the message is open, rather than one line. */
export function isEntryOpen(mode: Mode, entry: EntrySummary, opened: Opened | undefined): boolean {
  return opened?.entry ?? (mode === 'verbose' || !startsClosed(mode, entry));
}

/** Whether the arguments and the result of a tool call (`call0`) are shown. */
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
