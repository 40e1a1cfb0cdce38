import type { DecompressionLimits } from '../bytes/decompress';
import type { Json } from '../json/json';
import type { JsonNode } from '../json/jsonNode';
import type { RecordedInteraction } from '../model/interaction';
import type { RequestDigests } from '../model/message';
import type { FormatId, Tape, TapeFamily, TestedTapes } from '../model/tape';
import type { Splice } from '../text/splice';
import type { ResponseEdit, ResponseValueEdit } from '../wire/edit/responseEdit';
import type { Mark } from './marks';
import type { TapeFile } from './tapeFile';

/** A tape format. Everything particular to a format is behind this interface. */
export interface TapeFormat {
  readonly id: FormatId;
  /** Its name in the interface, such as "MoFA tape". */
  readonly label: string;
  /** Decides the icon. */
  readonly family: TapeFamily;
  /** The extensions of its files, without the dot. The content decides what a file is; these say which files to look at. */
  readonly extensions: readonly string[];
  /** Endings of names, without the dot, that no other files have: such files are found in every folder. */
  readonly ownEndings?: readonly string[];
  /**
   * The syntax of its files, so that others are not examined: JSON or lines of JSON, any other text, or records of bytes
   * that follow each other without a separator. Absent if both JSON and other text occur.
   */
  readonly syntax?: 'json' | 'text' | 'records';
  /** What its files have and others do not, where that can be said of members. */
  readonly marks?: Mark;
  /** Recognises a file by its content, and is cheap. Only one format claims a file. */
  looksLike(file: TapeFile): boolean;
  /**
   * Total: never throws. A broken file yields what could be read, with problems; failed integrity checks are problems.
   */
  read(file: TapeFile): Tape;
  /**
   * Everything that its files say is read of an interaction. So it is where messages are stored, unless they are the log of a session, which
   * has records of much else, and knows them; and of HTTP, whose bodies may say anything.
   */
  readonly isReadWhole?: true;
  /** Its files have steps around the calls as well, with texts of their own. */
  readonly hasSteps?: true;
  /** Whether a member, by its name, holds nothing of any interaction: a script may stand for other services as well. */
  isBeside?(name: string): boolean;
  /** Writes a new tape as the format's own recorder would. Absent if a tape cannot be made from our model. */
  serialise?(name: string, interactions: readonly RecordedInteraction[], into?: Destination): string;
  /**
   * The same where that is no text, because the format stores bodies as their bytes; undefined where it is. Callers use
   * `newTapeFile`, which asks for both.
   */
  serialiseBytes?(name: string, interactions: readonly RecordedInteraction[]): Uint8Array | undefined;
  /**
   * The interactions that a new tape of this format has a place for; absent if that is all. `serialise` writes no
   * others.
   */
  readonly writableSubset?: WritableSubset;
  /** What the format's own recorder needs to play a tape that was written here, as a sentence. */
  readonly playedWith?: string;
  /** For each interaction of a file, the names of its fields that have content and no place in `Interaction`. */
  unmappedFields?(file: TapeFile): readonly (readonly string[])[];
  /** Present where recorders put bodies into other files, which only a conversion reads. */
  readonly attached?: AttachedBodies;
  /** Each interaction of such a tape has a date, which 1970 stands for where it is not known. */
  readonly needsDates?: true;
  /** Why `serialise` is absent, as a sentence, for a format without a place for any interaction. */
  readonly notWritableReason?: string;
  /** A script that is written by hand: a recording can be converted to a new one, but is never written over one. */
  readonly isHandWritten?: true;
  /** Changes the text of a response. Absent for read-only formats. */
  editText?(file: TapeFile, edit: TapeTextEdit): EditOutcome;
  /**
   * Changes another value of a response. Where this is absent, `edits/editDocument.ts` finds the value in the tree of
   * the file.
   */
  editValue?(file: TapeFile, edit: TapeValueEdit): EditOutcome;
  /** Changes the list of interactions, for files where that is not a list of independent items. */
  editList?(file: TapeFile, edit: ListEdit): EditOutcome;
  /**
   * The text with the last interactions of a new tape added to its end, for files in which an interaction is not an item of one
   * list. Whether it is right is found out by reading it.
   */
  appendText?(text: string, written: string, added: number): string | undefined;
  /**
   * An empty item for the list that an interaction is an item of, where `serialise` cannot write one. Undefined where
   * the list holds something else.
   */
  emptyItem?(file: TapeFile, interaction: number): Json | undefined;
  /**
   * The edits that must follow changes made by position, such as redacting a secret everywhere: splices of the same
   * text that correct the lengths and counts that were correct before.
   */
  followingEdits?(file: TapeFile, changes: readonly Splice[]): DependentEdits;
  /** Whether the file has ids of requests that a recorder made of more than is in the file, so that they cannot follow an edit. */
  hasOpaqueIds?(file: TapeFile): boolean;
  /**
   * The interactions of a file as texts of their own, for a format whose interactions refer to earlier ones: of others, the text of an
   * interaction says all of it. Undefined for a file with anything else in it.
   */
  standalone?(file: TapeFile): StandaloneTape | undefined;
  /** Splices that bring the file to what its own recorder would have written: hashes, ids, counts, escapes. */
  finalise?(file: TapeFile): readonly Splice[];
  /** The title of `finalise` as a command. */
  readonly finaliseTitle?: string;
  /**
   * The parts of a request that are stored, for formats that store messages and not HTTP: nothing else can be
   * compared.
   */
  readonly storedFields?: StoredFields;
  /**
   * The format's own key of a request in the shape of OpenAI's Chat Completions; undefined if there is none. `model` stands
   * for the model of the request, where a recorder writes it with a prefix that is not sent.
   */
  requestKey?(body: JsonNode, kind: 'llm' | 'embedding', model?: string): string | undefined;
  /**
   * The format's own recorder serves the recordings of an endpoint in their order, each once, and does not compare bodies by default:
   * vcrpy compares method, scheme, host, port, path, and query (kevin1024/vcrpy, `vcr/config.py`, `vcr/cassette.py`), VCR method and URI
   * (vcr/vcr, `lib/vcr/cassette/http_interaction_list.rb`), go-vcr method and URL (dnaeon/go-vcr, `pkg/cassette/cassette.go`; since
   * version 4, whose cassettes look the same, headers and bodies as well).
   */
  readonly servesInOrder?: true;
  /** The format's own recorder serves a recording again and again. */
  readonly servesAgain?: true;
  /**
   * The format's own recorder knows one response to a request, the last one that was recorded, and serves it again and again: httprr
   * reads its trace into a map (golang.org/x/oscar, `internal/httprr`, `open`).
   */
  readonly servesLast?: true;
  /** The format's own recorder serves a recording to every request that has what the recorded one names; without a body, any. Of several, the last. */
  readonly servesParts?: true;
  /** Its requests are rules: they name what a request has to contain, and the first whose rule fits is served. */
  readonly holdsRules?: true;
  /** The digests of a request in that shape, for formats whose tapes keep digests of requests. */
  digestRequest?(body: JsonNode): RequestDigests;
  /** The names of new files that are written in this format, where nothing else chooses one. */
  readonly newFileName?: NewFileNames;
  /** The path of a new tape in a folder of such tapes, with `/`, for formats whose tapes are named after their content. */
  pathInFolder?(file: TapeFile): string;
  /** False if the format's own recorder does not record the default model that a provider fills in. */
  readonly recordsModel?: false;
  /** A response that broke off can be recorded as such. Elsewhere it would become a complete one, so it is left out. */
  readonly keepsBrokenResponses?: true;
  /** Tapes of this format are recorded by the tests that use them, not by Tapedeck. */
  readonly recordedByTests?: RecordedByTests;
  /** A tape of this format is a case by itself: its recordings are replayed in their order. */
  readonly asCase?: TapeAsCase;
  /** Present where tests name tapes of this format. */
  readonly tested?: TestedTapes;
  /** The whole file, migrated to the newest version of its format. Undefined if there is nothing to migrate. */
  migrate?(file: TapeFile): string | undefined;
}

/** A tape whose interactions are texts of their own: each is what it would be in a tape that has no other. */
export interface StandaloneTape {
  /** The text before the first interaction. */
  readonly head: string;
  /** Made on demand: what many interactions refer to may be long. */
  readonly items: Pick<readonly string[], 'length' | 'at'>;
  /** The tape of a head and of such texts, in which later interactions refer to earlier ones again, if those of this file do. */
  join(pieces: Iterable<string>): string;
}

/** What has to be known of a format to find the recordings of requests. */
export type MatchedFormat = Pick<
  TapeFormat,
  | 'id'
  | 'storedFields'
  | 'requestKey'
  | 'digestRequest'
  | 'servesInOrder'
  | 'servesAgain'
  | 'servesLast'
  | 'servesParts'
  | 'holdsRules'
>;

/** The names of new files of a format: tapes of cases, and recorded traffic of a user's own agent. */
export interface NewFileNames {
  readonly ofCases?: RegExp;
  readonly ofAgents?: RegExp;
}

export interface RecordedByTests {
  /** How to record one, as the end of a sentence after "with". */
  readonly howTo: string;
}

export interface TapeAsCase {
  /** The tag of such cases. */
  readonly tag: string;
  /** Such files are looked for below folders of this name, and have this extension. */
  readonly folder: string;
  readonly extension: string;
  /** The name of the case, made from the name of the tape. Absent: the same. */
  caseName?(name: string): string;
}

/** The bodies of a tape in files of their own. */
export interface AttachedBodies {
  /** The names of these files, which are in the folder of the tape. */
  namesIn(text: string): readonly string[];
  /** The text with the bodies in it. One whose file is not known stays where it is. */
  embed(tape: AttachedTape): string;
  /** The same tape in a zip, with its files; undefined for another zip. */
  unzip(bytes: Uint8Array, limits: DecompressionLimits): AttachedTape | undefined;
}

export interface AttachedTape {
  readonly text: string;
  /** By their names. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Where a new tape is written, which decides its syntax where a format has several. */
export interface Destination {
  readonly path: string;
  /** The text of the tape that it replaces. */
  readonly replaces?: string | undefined;
  /** The id of the test that recorded it, for formats that keep that. */
  readonly test?: string | undefined;
}

/** The interactions that a file of a format has a place for. */
export interface WritableSubset {
  /** A noun phrase, such as "responses of a model". */
  readonly description: string;
  /** Selects those interactions, in the order in which they are read again. */
  select<T extends RecordedInteraction>(interactions: readonly T[]): readonly T[];
}

/** The parts of a request that a format with messages stores. */
export interface StoredFields {
  readonly tools: 'names' | 'definitions';
  /** Whether all parts of a message are kept, or its text and tool calls only. */
  readonly parts: boolean;
  /** The parameters that are kept; absent if all are. */
  readonly params?: readonly string[];
  /** The part of a system prompt that counts, where the format's own agent writes another part anew in every run. */
  systemPrompt?(text: string): string;
}

/** The interaction to change, from 0. */
interface InteractionTarget {
  readonly interaction: number;
}

/** A new text for a response. */
export type TapeTextEdit = InteractionTarget & Extract<ResponseEdit, { type: 'response-text' }>;
/** A change of another value of a response. */
export type TapeValueEdit = InteractionTarget &
  (
    | ResponseValueEdit
    /** The status of the HTTP response. */
    | { readonly type: 'status'; readonly status: number }
  );
export type TapeResponseEdit = TapeTextEdit | TapeValueEdit;

/** A change of the list of interactions. */
export type ListEdit =
  | { readonly type: 'delete'; readonly interaction: number }
  | { readonly type: 'duplicate'; readonly interaction: number }
  /** Inserts an empty interaction of the same kind and protocol after this one. */
  | { readonly type: 'add'; readonly interaction: number }
  /** Swaps the interaction with its neighbour. */
  | { readonly type: 'move'; readonly interaction: number; readonly by: -1 | 1 };

/** Removes a value from the whole tape: a placeholder takes its place wherever it occurs. */
export interface RedactEdit {
  readonly type: 'redact';
  readonly value: string;
}

export type TapeEdit = TapeResponseEdit | ListEdit | RedactEdit;

/** Edits of values that depend on others. */
export interface DependentEdits {
  readonly splices: readonly Splice[];
  /** The names of those values, such as `content-length` or `byte counts`. */
  readonly dependents: readonly string[];
}

/**
 * The splices of an edit, with the names of the dependent values that they include (`content-length`, `content_hash`);
 * or why the edit cannot be made, as a sentence.
 */
export type EditOutcome =
  | { readonly splices: readonly Splice[]; readonly dependents: readonly string[] }
  | { readonly refused: string };
