import { constant, flag, list, number, optional, shape, text, trusted, type Value } from '../schema/schema';
import type { Said } from '../text/notice';
import type { RunMode } from './artifact';
import type { Failure } from './run';

/** What a result depends on. `case` includes the files that the case names, `agent` the source of the user's own agent. */
export type InputRole = 'case' | 'tape' | 'baseline' | 'agent' | 'rules';

const FILE_FINGERPRINT = shape({
  size: number(),
  /** In whole milliseconds. */
  modifiedMs: number(),
  /** SHA-256, as hex digits. */
  sha256: text(),
});
export type FileFingerprint = Value<typeof FILE_FINGERPRINT>;

/** A file as it was during a run. */
const RUN_INPUT = shape({
  role: trusted<InputRole>(text()),
  /** Relative to the project's root, with `/`. */
  path: text(),
  /** Absent if there was no such file. */
  content: optional(FILE_FINGERPRINT),
});
export type RunInput = Value<typeof RUN_INPUT>;

/** Where the source of the user's own agent is: a file, or a folder with all files of an extension, or all files. */
const SOURCE_PLACE = shape({
  path: text(),
  /** Without the dot. Only in a folder. */
  extension: optional(text()),
});
export type SourcePlace = Value<typeof SOURCE_PLACE>;

/** The last run of a case, and what it ran with. A result holds for exactly that. */
const MEMBERS = {
  finishedAtMs: number(),
  name: text(),
  mode: trusted<RunMode>(text()),
  status: text('', { enum: ['passed', 'failed'] }),
  durationMs: number(),
  /** The paths of their tapes are relative to the project's root. */
  failures: list(trusted<Failure>(shape({ kind: text(), message: text() }))),
  /** A summary of the comparison. */
  compared: text(),
  /** What the summary says. */
  said: optional(trusted<Said>()),
  /** Whether there was nothing to compare the run with: no assertion and no baseline. */
  checkedNothing: flag(),
  inputs: list(RUN_INPUT),
  /** Where to look for files that were added. Relative to the project's root. */
  sources: list(SOURCE_PLACE),
};
const RUN_RECORD = shape(MEMBERS);
export type RunRecord = Value<typeof RUN_RECORD>;

/** As it is stored. Readers of other versions ignore the file: the case then counts as not run. */
export const STORED_RUN_RECORD = shape({ version: constant(1), ...MEMBERS });
