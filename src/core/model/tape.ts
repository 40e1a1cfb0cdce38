import type { Problem } from '../text/source';
import type { Interaction } from './interaction';

/** The id of a tape format, such as `mofa`. The registry in `core/tapes/registry.ts` lists them all. */
export type FormatId = string;

/**
 * The contents of a format's files: a conversation, recorded HTTP, the transcript of a session, a script, frames of a
 * stream, a log, or what cannot be read.
 */
export type TapeFamily = 'conversation' | 'http' | 'session' | 'script' | 'frames' | 'log' | 'unreadable';

/** How tests use the tapes of a format. */
export interface TestedTapes {
  /** The recorder whose decorators, marks, or calls name the tape. */
  readonly recorder: 'checkagent' | 'reyn' | 'vcr' | 'polly' | 'nock' | 'aimock' | 'fixture' | 'go-vcr' | 'httprr';
  /**
   * How a tape that no test uses is recognised: by the folder of its test file, because no mark names it, or because no
   * test in its folder does. Absent if other programs use such files as well.
   */
  readonly orphans?: 'by-folder' | 'by-mark' | 'by-name';
}

/** A file of recorded interactions, whatever its format. */
export interface Tape {
  readonly format: FormatId;
  readonly name?: string | undefined;
  /** The id of the test that recorded it, in its runner. */
  readonly test?: string | undefined;
  readonly version?: string | undefined;
  /**
   * Keep a reference while iterating: the list of a large tape may be evicted, and a new read creates other objects.
   */
  readonly interactions: readonly Interaction[];
  /** Includes the problems of interactions, so that reading them may take reading the whole tape. */
  readonly problems: readonly Problem[];
  /** Those of the file without those of its interactions, for which none of these is read; absent where one pass finds both. */
  readonly problemsOfFile?: readonly Problem[] | undefined;
  /**
   * The number of records in the file, if an interaction consists of several: chunks of a stream, frames, log lines.
   */
  readonly records?: number | undefined;
}
