import type { ProviderSpec } from '../model/case';
import type { SourcePlace } from '../model/runRecord';
import type { FormatId } from '../model/tape';
import type { RecordedByTests, TapeFormat } from '../tapes/format';
import type { Problem, Span } from '../text/source';

/** The file formats of cases. Each has its code in a folder beside this file, and its runner in the engine. */
export type CaseKindId =
  | 'toml'
  | 'flakestorm-config'
  | 'flakestorm-session'
  | 'flakestorm-profile'
  | 'loader'
  | 'mofa-scenario'
  | 'mofa-agent-scenario'
  | 'mofa-golden'
  | 'mofa-assertions'
  | 'unreadable';

/** A case as shown in lists, code lenses and the Test Explorer. */
export interface ListedCase {
  /** Unique among the cases of its file; absent if the file is a single case. */
  readonly id?: string;
  readonly name: string;
  /** The place of its code lenses. */
  readonly span: Span;
  /** Its tapes, relative to its folder; the replayed one comes first. */
  readonly tapes: readonly string[];
  /** The tape that Re-record replaces; absent if there is nothing to record. */
  readonly recordedTape?: string;
  /** What Re-record does with a request that the tape lacks, where it keeps the tape: adds it, or only passes it on. */
  readonly onMiss?: 'record' | 'passthrough';
  /** The place where the tape is named, where that is not the whole case. */
  readonly tapeSpan?: Span;
  /** The provider that Re-record uses, where the case names one. */
  readonly provider?: ProviderSpec;
  /** The user's own agent that Re-record calls, in words. */
  readonly asks?: string;
  /** The user's own agent, where the case has one: its command line or its address. */
  readonly ownAgent?: string;
  /** Further files that it reads, relative to its folder. */
  readonly reads?: readonly string[];
  /** The source of the user's own agent, relative to the case's folder. */
  readonly sources?: readonly SourcePlace[];
  /** Further words for the filter: its tools, its model. */
  readonly words: readonly string[];
  readonly tags: readonly string[];
  /** Why it cannot be run by itself, as a sentence. Runs of folders skip it. */
  readonly lacks?: string;
}

export interface CaseListing {
  /** Empty when the file has errors, which are in `problems`. */
  readonly cases: readonly ListedCase[];
  readonly problems: readonly Problem[];
}

interface KindOfCase {
  /** The name shown to users, such as "MoFA test case". */
  readonly label: string;
  /** A fast check of the content. Scans the text, which may be invalid while it is being edited. */
  looksLike(text: string, path: string): boolean;
  /** Matches paths that only such files have. A file there that cannot be read is a broken case, and is never passed over. */
  readonly places?: RegExp;
  /** Never throws. `path` has `/`; only its last part is used. */
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

/** The tape of a case that names none: `a/b.yaml` → `b.tape.json`, or `b.ID.tape.json` for one of several cases. */
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
