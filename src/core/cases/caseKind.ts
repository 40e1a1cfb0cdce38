import type { ProviderSpec } from '../model/case';
import type { FormatId } from '../model/tape';
import type { RecordedByTests, TapeFormat } from '../tapes/format';
import type { Problem, Span } from '../text/source';

/** The ways in which cases are written. The code of a kind is in one folder beside this file, and in what runs it. */
export type CaseKindId =
  | 'toml'
  | 'flakestorm-config'
  | 'flakestorm-session'
  | 'flakestorm-profile'
  | 'loader'
  | 'mofa-scenario'
  | 'mofa-agent-scenario'
  | 'mofa-golden'
  | 'mofa-assertions';

/** A case as lists, lenses and the Test Explorer need it. */
export interface ListedCase {
  /** Tells it from the other cases of its file; absent where the file is one case. */
  readonly id?: string;
  readonly name: string;
  /** The place of its lenses. */
  readonly span: Span;
  /** The tapes that belong to it, relative to its folder: the one it replays first. */
  readonly tapes: readonly string[];
  /** The tape that Re-record replaces; absent where there is nothing to record. */
  readonly recordedTape?: string;
  /** Whom Re-record asks, where the case itself says so. */
  readonly provider?: ProviderSpec;
  /** Whom Re-record asks, in words, where that is the user's own agent. */
  readonly asks?: string;
  /** The user's own agent, where the case has one: its command line or its address. */
  readonly ownAgent?: string;
  /** What else the filter finds it by: its tools, its model. */
  readonly words: readonly string[];
  readonly tags: readonly string[];
  /** Why it cannot be run by itself, as a sentence. Runs of folders leave it out. */
  readonly lacks?: string;
}

export interface CaseListing {
  /** Empty when the file cannot be understood; what is wrong is in `problems`. */
  readonly cases: readonly ListedCase[];
  readonly problems: readonly Problem[];
}

interface KindOfCase {
  /** As people call it, such as "MoFA test case". */
  readonly label: string;
  /** Cheap, and by the content: a scan, so that a file which is being edited and does not parse just now stays one. */
  looksLike(text: string, path: string): boolean;
  /** Total: never throws. `path` has `/`; only its last part counts. */
  list(text: string, path: string): CaseListing;
}

/** A kind of case that is written: a file that describes what to run. */
export interface WrittenCaseKind extends KindOfCase {
  readonly id: CaseKindId;
}

/** A kind of case that is recorded: a tape of this format is a case by itself, replayed from its first recording to its last. */
export interface RecordedTapeKind extends KindOfCase {
  readonly id: FormatId;
  readonly format: TapeFormat;
}

export type CaseKind = WrittenCaseKind | RecordedTapeKind;

/** How the tape of a case is recorded where Tapedeck does not record it, but the tests that use it. */
export function recordedByTests(kind: CaseKind): RecordedByTests | undefined {
  return 'format' in kind ? kind.format.recordedByTests : undefined;
}

/** The tape of a case that names none: `a/b.yaml` → `b.tape.json`, one of several `b.ID.tape.json`. */
export function defaultTape(path: string, id?: string): string {
  const part = id === undefined ? '' : `.${id.replace(/[^\w.-]+/g, '-')}`;
  return `${fileStem(path)}${part}.tape.json`;
}

/** The name of a file without its extensions. */
export function fileStem(path: string): string {
  return baseName(path).replace(/(?:\.(?:scenario|session|golden))?\.(?:toml|ya?ml|json)$/i, '');
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
