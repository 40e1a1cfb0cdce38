import type { Snippet } from '../../core/stability/snippets';

/** What varies between several recordings of a case, as its page shows it. */
export interface StabilityReport {
  readonly name: string;
  /** From the project's root. */
  readonly casePath: string;
  /** The URI of the case, by which the editor finds it again. */
  readonly caseUri?: string;
  /** How many takes were recorded and compared. */
  readonly takes: number;
  /** Where they are, from the project's root. */
  readonly folder: string;
  /** The outcome in one sentence. */
  readonly summary: string;
  readonly failed: readonly { readonly take: number; readonly message: string }[];
  readonly varying: readonly ShownVariation[];
  readonly assertions: readonly { readonly text: string; readonly held: number }[];
  /** The rules that ignored something, with how often, such as `date 3`. */
  readonly ignored: readonly string[];
  /** What to add to the case, with which the takes compare as equal. */
  readonly snippets: readonly Snippet[];
  /** The rules for every case of the project instead, in `tapedeck.toml`, and how many cases that is. */
  readonly everywhere?: { readonly snippet: Snippet; readonly cases: number };
  /** What the rules do not cover, as a sentence. */
  readonly conclusion?: string;
}

export interface ShownVariation {
  readonly title: string;
  readonly place: string;
  /** Such as "differs in 2 of 5 takes". */
  readonly often: string;
  /** The most frequent first. */
  readonly values: readonly {
    /** The beginning of the value; null for takes without it. */
    readonly text: string | null;
    /** From 0. */
    readonly takes: readonly number[];
  }[];
}
