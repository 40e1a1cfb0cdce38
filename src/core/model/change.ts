import type { JsonPath } from '../json/jsonPath';
import type { Usage } from './usage';

/** `moved`: equal, at another position. If the subject also differs, that is a separate change. */
export type ChangeKind = 'added' | 'removed' | 'moved' | 'edited';

/** The thing that changed. */
export type ChangeSubject =
  | 'interaction'
  | 'message'
  | 'role'
  | 'name'
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
  | 'details'
  | 'unread';

/** The importance of a change: what the agent did, what it was given, or counts and times. */
export type ChangeWeight = 'behaviour' | 'context' | 'accounting';

/** The location of a change. A subject that exists on one side only has a location on that side only. */
export interface ChangePlace {
  /** The interaction in the earlier and the later tape, from 0; absent in artifacts. */
  readonly before?: number;
  readonly after?: number;
  /** The path inside the interaction or artifact, on the side that has the subject (the later one if both do). */
  readonly path: JsonPath;
}

/** Token counts that changed; absent on a side without any. */
export interface UsageChange {
  readonly before?: Usage;
  readonly after?: Usage;
}

/** One thing that an agent said or did, in a recording that is shown whole. */
export interface RecordedStep {
  readonly title: string;
  readonly text: string;
  readonly language: 'plaintext' | 'json';
}

/** Identifies a change in whichever file it occurs, and describes it in a few words. */
export interface ChangeLikeness {
  /** Equal for the same change in another file. */
  readonly key: string;
  /** The words that were replaced, and those in their place. */
  readonly before: string;
  readonly after: string;
  /** The preset of masks that covers the whole difference, such as `date`; absent if none does. */
  readonly preset?: string;
}

/** One difference between two recordings, as the user accepts or rejects it. */
export interface Change {
  /** Equal for the same difference at the same place in another run, so that decisions carry over. */
  readonly id: string;
  readonly kind: ChangeKind;
  readonly subject: ChangeSubject;
  readonly place: ChangePlace;
  readonly weight: ChangeWeight;
  /** For users, such as "Arguments of get_weather". */
  readonly title: string;
  /** The texts of both sides; empty for a side without the subject. */
  readonly before: string;
  readonly after: string;
  readonly language: 'plaintext' | 'json';
  /** Other locations of the same change, as in later requests that repeat a response. Decided together with it. */
  readonly repeats: readonly ChangePlace[];
  /** The token counts that changed with it, those of its repeats added up. They are decided with it. */
  readonly usage?: UsageChange;
  /** What the agent did, where a recording is new or gone as a whole. */
  readonly recording?: readonly RecordedStep[];
  /** Only in lists, whose texts are beginnings: see `likenessOf`. */
  readonly likeness?: ChangeLikeness;
  /** The normalising rules that ignore this change. If there are any, the change is hidden. */
  readonly rules: readonly string[];
}

/** The differences between an earlier and a later recording. */
export interface ChangeSet {
  readonly changes: readonly Change[];
  /** The changes ignored by normalising rules. */
  readonly hidden: readonly Change[];
  /** Limits of the comparison, as sentences. */
  readonly notices: readonly string[];
}
