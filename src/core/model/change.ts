import type { JsonPath } from '../json/jsonPath';

/** What happened to a thing. `moved` says that it is the same at another place; if it also differs, that is a change of its own. */
export type ChangeKind = 'added' | 'removed' | 'moved' | 'edited';

/** What a change is about. */
export type ChangeSubject =
  | 'interaction'
  | 'message'
  | 'role'
  | 'text'
  | 'reasoning'
  | 'media'
  | 'part'
  | 'tool call'
  | 'tool'
  | 'arguments'
  | 'tool result'
  | 'tool definition'
  | 'model'
  | 'parameter'
  | 'usage'
  | 'timing'
  | 'finish'
  | 'error'
  | 'http'
  | 'id'
  | 'status'
  | 'assertion'
  | 'file'
  | 'details';

/** How much a change matters: what the agent did, what it was given, or what is counted. */
export type ChangeWeight = 'behaviour' | 'context' | 'accounting';

/** Where a change is. A thing that is only on one side has a place on that side only. */
export interface ChangePlace {
  /** The interaction in the earlier and the later tape, from 0; absent in artifacts. */
  readonly before?: number;
  readonly after?: number;
  /** Inside the interaction or artifact, by the names of our model, on the side where the thing is (the later, if on both). */
  readonly path: JsonPath;
}

/** One difference between two recordings of the same thing, as it is decided about. */
export interface Change {
  /** The same for the same difference, wherever it is found: what was decided about it holds in the next run, too. */
  readonly id: string;
  readonly kind: ChangeKind;
  readonly subject: ChangeSubject;
  readonly place: ChangePlace;
  readonly weight: ChangeWeight;
  /** As people read it, such as "Arguments of get_weather". */
  readonly title: string;
  /** The two sides as texts that can be shown side by side; empty on a side where there is nothing. */
  readonly before: string;
  readonly after: string;
  readonly language: 'plaintext' | 'json';
  /** Where the same change is found again, as in later requests that repeat an answer; decided about together. */
  readonly repeats: readonly ChangePlace[];
  /** The normalising rules by which it is no difference. Such a change is hidden. */
  readonly rules: readonly string[];
}

/** All that differs between an earlier and a later recording. */
export interface ChangeSet {
  readonly changes: readonly Change[];
  /** What normalising rules hide. */
  readonly hidden: readonly Change[];
  /** What could not be compared as it should, in words. */
  readonly notices: readonly string[];
}
