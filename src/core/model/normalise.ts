import type { Pattern } from '../text/compilePattern';

/** A pattern of text that is ignored, such as a build number. */
export interface NormalisePattern {
  readonly name: string;
  readonly pattern: Pattern;
}

/** The rules by which a review treats two values as equal. All of them can be set in `tapedeck.toml`. */
export interface NormaliseRules {
  /** Names of mask presets. */
  readonly presets: readonly string[];
  readonly patterns: readonly NormalisePattern[];
  /** Paths that are not compared, from the interaction or artifact, such as `request.params.metadata.*`. */
  readonly ignore: readonly string[];
  /** Token counts within this part of each other are equal: 0.1 is ten per cent. */
  readonly usageTolerance: number;
  /** The same for durations; absent, a duration is never a change. */
  readonly timingTolerance?: number;
}

/** `[normalise]` of a case: rules that hold for it alone, besides those of its project. A tolerance takes the place of the project's. */
export type CaseRules = Pick<NormaliseRules, 'presets' | 'patterns' | 'ignore' | 'timingTolerance'> &
  Partial<Pick<NormaliseRules, 'usageTolerance'>>;
