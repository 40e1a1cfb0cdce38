import type { Problem } from '../text/source';
import type { Interaction } from './interaction';

/** The id of a tape format, such as `mofa`. The registry in `core/tapes/registry.ts` lists them all. */
export type FormatId = string;

/** What the files of a format are: a conversation, recorded HTTP, the transcript of a session, a script, frames of a stream, or a log. */
export type TapeFamily = 'conversation' | 'http' | 'session' | 'script' | 'frames' | 'log';

/** How the tests of pytest use the tapes of a format. */
export interface PytestTapes {
  /** The recorder whose decorators and marks name the tape. */
  readonly recorder: 'checkagent' | 'reyn' | 'vcr';
  /** How a tape that no test uses is recognised: by the folder of its test file, or because no mark names it. */
  readonly orphans: 'by-folder' | 'by-mark';
}

/** A file of recorded interactions, whatever its format. */
export interface Tape {
  readonly format: FormatId;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** Hold the list while you walk it: a large tape that nobody uses reads it again, and then has other objects in it. */
  readonly interactions: readonly Interaction[];
  /** Those of its interactions too: to ask for them may take reading all of the tape. */
  readonly problems: readonly Problem[];
  /** How many records the file has, where one interaction is made of several: pieces of a stream, frames, lines of a log. */
  readonly records?: number | undefined;
}
