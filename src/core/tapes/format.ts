import type { Json } from '../json/json';
import type { JsonNode } from '../json/jsonNode';
import type { RecordedInteraction } from '../model/interaction';
import type { FormatId, PytestTapes, Tape, TapeFamily } from '../model/tape';
import type { Splice } from '../text/splice';
import type { ResponseEdit, ResponseValueEdit } from '../wire/edit/responseEdit';
import type { TapeFile } from './tapeFile';

/** What a tape format can do. Everything that is particular to a format stays behind this. */
export interface TapeFormat {
  readonly id: FormatId;
  /** As people call it, such as "MoFA tape". */
  readonly label: string;
  /** Decides the icon. */
  readonly family: TapeFamily;
  /** The extensions of its files, without the dot. The content decides what a file is; these say which files to look at. */
  readonly extensions: readonly string[];
  /** Endings of names, without the dot, that no other files have: such files are found in every folder. */
  readonly ownEndings?: readonly string[];
  /**
   * The syntax of its files, so that others are not examined: JSON or lines of JSON, any other text, or records of bytes
   * that follow each other without a separator. Absent where both JSON and other text occur.
   */
  readonly syntax?: 'json' | 'text' | 'records';
  /** Cheap: decides by the content, may look at no more than it needs. Only one format claims a file. */
  looksLike(file: TapeFile): boolean;
  /** Total: never throws; a broken file yields what could be read, with problems. Broken integrity is a problem. */
  read(file: TapeFile): Tape;
  /** A new tape of this format, as the format's own recorder writes it. Absent where a tape cannot be made from our model. */
  serialise?(name: string, interactions: readonly RecordedInteraction[]): string;
  /** What a new tape of this format has a place for; absent where that is every interaction. `serialise` writes no others. */
  readonly writableSubset?: WritableSubset;
  /** For each interaction of a file, the fields that say something and have no place in `Interaction`, by their names there. */
  unmappedFields?(file: TapeFile): readonly (readonly string[])[];
  /** Why `serialise` is absent, as a sentence, where a file of this format has no place for an interaction at all. */
  readonly notWritableReason?: string;
  /** A script by somebody's hand: what is recorded is converted to a new one, but never written over one. */
  readonly isHandWritten?: true;
  /** Changes the text of an answer. Absent for formats that are only read. */
  editText?(file: TapeFile, edit: TapeTextEdit): EditOutcome;
  /** Changes other values of an answer. Where this is absent `edits/editDocument.ts` finds them in the tree of the file. */
  editValue?(file: TapeFile, edit: TapeValueEdit): EditOutcome;
  /** Changes the list of interactions, where that is no list in the file whose items stand for themselves. */
  editList?(file: TapeFile, edit: ListEdit): EditOutcome;
  /**
   * An empty item for the list in the file that an interaction stands in, where `serialise` writes none; undefined where
   * the list holds something else.
   */
  emptyItem?(file: TapeFile, interaction: number): Json | undefined;
  /**
   * What must follow changes that are made by place, not by meaning, such as taking a secret out everywhere: splices of
   * the same text that keep lengths and counts right where they were.
   */
  followingEdits?(file: TapeFile, changes: readonly Splice[]): DependentEdits;
  /** Splices that make right what the format's own recorder would have written otherwise: hashes, ids, counts, escapes. */
  finalise?(file: TapeFile): readonly Splice[];
  /** What `finalise` does, as a command. */
  readonly finaliseTitle?: string;
  /** What the format keeps of a request, where it keeps messages and not HTTP: no more than that can be compared. */
  readonly storedFields?: StoredFields;
  /** The format's own key of a request in the shape of OpenAI's Chat Completions; undefined where there is none. */
  requestKey?(body: JsonNode, kind: 'llm' | 'embedding'): string | undefined;
  /** The names of new files that are written in this format, where nothing else chooses one. */
  readonly newFileName?: NewFileNames;
  /** False where the format's own recorder does not record the default model that a provider fills in. */
  readonly recordsModel?: false;
  /** A response that broke off can be recorded as such. Elsewhere it would become a complete one, so it is left out. */
  readonly keepsBrokenResponses?: true;
  /** Tapes of this format are recorded by the tests that use them, not by Tapedeck. */
  readonly recordedByTests?: RecordedByTests;
  /** A tape of this format is a case by itself: its recordings are replayed in their order. */
  readonly asCase?: TapeAsCase;
  /** Present where the tests of pytest use tapes of this format. */
  readonly pytest?: PytestTapes;
  /** A whole file in the newest version of its format, where an older one can be migrated. */
  migrate?(file: TapeFile): string | undefined;
}

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

/** The interactions that a file of a format has a place for. */
export interface WritableSubset {
  /** In words, such as "answers of a model". */
  readonly description: string;
  /** Those of them, in the order in which they are read again. */
  select<T extends RecordedInteraction>(interactions: readonly T[]): readonly T[];
}

/** What a format that stores messages keeps of a request. */
export interface StoredFields {
  readonly tools: 'names' | 'definitions';
  /** Whether all parts of a message are kept, or its text and tool calls only. */
  readonly parts: boolean;
  /** The parameters that are kept; absent where all are. */
  readonly params?: readonly string[];
}

/** The interaction that is changed, from 0. */
interface InteractionTarget {
  readonly interaction: number;
}

/** A new text for an answer. */
export type TapeTextEdit = InteractionTarget & Extract<ResponseEdit, { type: 'response-text' }>;
/** A change of another value of an answer, by its meaning. */
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
  /** An empty one behind this one, of its kind and of its protocol. */
  | { readonly type: 'add'; readonly interaction: number }
  /** To the place of its neighbour. */
  | { readonly type: 'move'; readonly interaction: number; readonly by: -1 | 1 };

/** Takes a value out of the whole tape: one placeholder stands wherever it stood. */
export interface RedactEdit {
  readonly type: 'redact';
  readonly value: string;
}

export type TapeEdit = TapeResponseEdit | ListEdit | RedactEdit;

/** Values that follow others. */
export interface DependentEdits {
  readonly splices: readonly Splice[];
  /** Which, in words (`content-length`, `byte counts`). */
  readonly dependents: readonly string[];
}

/**
 * What to replace in the source, and which dependent values that includes, in words (`content-length`, `content_hash`).
 * Or why the edit cannot be made, as a sentence.
 */
export type EditOutcome =
  | { readonly splices: readonly Splice[]; readonly dependents: readonly string[] }
  | { readonly refused: string };
