import type { FailureKind } from '../model/run';
import type { TrialVerdict } from '../model/trial';
import type { Usage } from '../model/usage';
import { parseDocument } from '../schema/parseDocument';
import { constant, count, list, number, optional, shape, text, trusted, type Value, where } from '../schema/schema';
import type { Said } from '../text/notice';

/** Samples of other versions are ignored, and recorded again. */
const VERSION = 1;

const SAMPLE_CALL = shape({
  /** As the provider names it; absent if the tape does not say. */
  model: optional(text()),
  usage: optional(
    trusted<Usage>(
      shape({
        promptTokens: number(),
        completionTokens: number(),
        totalTokens: number(),
        cachedTokens: optional(number()),
      }),
    ),
  ),
  /** What the provider says that it cost, in US dollars. */
  reportedCost: optional(number()),
  /** Where it went, if it is on the tape. */
  url: optional(text()),
});
export type SampleCall = Value<typeof SAMPLE_CALL>;

const STORED_COMPARISON = shape({
  /** A digest of everything that the number depends on. */
  of: text(),
  changes: number(),
});
export type StoredComparison = Value<typeof STORED_COMPARISON>;

const VERDICTS = ['passed', 'failed', 'error'] as const satisfies readonly TrialVerdict[];

/** A sample as it is kept beside its recording. Written last: where it is, the sample is complete. */
const STORED_SAMPLE = shape({
  version: constant(VERSION),
  verdict: text('', { enum: VERDICTS }),
  failure: optional(text()),
  /** What the failure says. */
  said: optional(trusted<Said>()),
  failureKind: optional(trusted<FailureKind>(text())),
  durationMs: number(),
  /** The file name of the tape, which leads to no other folder; absent if nothing was recorded. */
  tape: optional(where(text(), (name) => !/[/\\]/.test(name))),
  /** The calls of models on the tape. */
  calls: list(SAMPLE_CALL),
  compared: optional(STORED_COMPARISON),
});
export type StoredSample = Value<typeof STORED_SAMPLE>;

export function storedSample(sample: Omit<StoredSample, 'version'>): StoredSample {
  return { version: VERSION, ...sample };
}

/** Reads a kept sample; undefined for a file of another version, or one that is damaged. */
export function readStoredSample(text: string): StoredSample | undefined {
  return parseDocument(STORED_SAMPLE, text);
}

/** The question of a trial: which cases with which models, and how often. */
const STORED_TRIAL = shape({
  version: constant(VERSION),
  casePaths: list(text()),
  models: list(text()),
  samples: count('', 1),
});
export type StoredTrial = Omit<Value<typeof STORED_TRIAL>, 'version'>;

export function storedTrial({ casePaths, models, samples }: StoredTrial): Value<typeof STORED_TRIAL> {
  return { version: VERSION, casePaths, models, samples };
}

export function readStoredTrial(text: string): StoredTrial | undefined {
  return parseDocument(STORED_TRIAL, text);
}
