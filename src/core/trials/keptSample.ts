import type { FailureKind } from '../model/run';
import type { TrialVerdict } from '../model/trial';
import type { Usage } from '../model/usage';
import type { Said } from '../text/notice';

/** Samples of other versions are ignored, and recorded again. */
const VERSION = 1;

/** A sample as it is kept beside its recording. Written last: where it is, the sample is complete. */
export interface KeptSample {
  readonly version: typeof VERSION;
  readonly verdict: TrialVerdict;
  readonly failure?: string;
  /** What the failure says. */
  readonly said?: Said;
  readonly failureKind?: FailureKind;
  readonly durationMs: number;
  /** The file name of the tape; absent if nothing was recorded. */
  readonly tape?: string;
  /** The calls of models on the tape. */
  readonly calls: readonly SampleCall[];
  readonly compared?: KeptComparison;
}

export interface SampleCall {
  /** As the provider names it; absent if the tape does not say. */
  readonly model?: string;
  readonly usage?: Usage;
}

export interface KeptComparison {
  /** A digest of everything that the number depends on. */
  readonly of: string;
  readonly changes: number;
}

export function keptSample(sample: Omit<KeptSample, 'version'>): KeptSample {
  return { version: VERSION, ...sample };
}

type Check = (value: unknown) => boolean;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isMaybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const has =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([key, check]) => check(value[key]));

const isUsage = has({
  promptTokens: isNumber,
  completionTokens: isNumber,
  totalTokens: isNumber,
  cachedTokens: isMaybe(isNumber),
});
const isCall = has({ model: isMaybe(isText), usage: isMaybe(isUsage) });
const isSample = has({
  version: (version) => version === VERSION,
  verdict: (verdict) => verdict === 'passed' || verdict === 'failed' || verdict === 'error',
  failure: isMaybe(isText),
  failureKind: isMaybe(isText),
  durationMs: isNumber,
  // A plain file name: it leads to no other folder.
  tape: isMaybe((name) => typeof name === 'string' && !/[/\\]/.test(name)),
  calls: (calls) => Array.isArray(calls) && calls.every(isCall),
  compared: isMaybe(has({ of: isText, changes: isNumber })),
});

/** Reads a kept sample; undefined for a file of another version, or one that is damaged. */
export function readKeptSample(text: string): KeptSample | undefined {
  const value = parsed(text);
  return isSample(value) ? (value as KeptSample) : undefined;
}

/** The question of a trial: which cases with which models, and how often. */
export interface KeptTrial {
  readonly casePaths: readonly string[];
  readonly models: readonly string[];
  readonly samples: number;
}

const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isTrial = has({
  version: (version) => version === VERSION,
  casePaths: isTexts,
  models: isTexts,
  samples: (samples) => typeof samples === 'number' && Number.isSafeInteger(samples) && samples > 0,
});

export function keptTrial({ casePaths, models, samples }: KeptTrial): KeptTrial & { readonly version: number } {
  return { version: VERSION, casePaths, models, samples };
}

export function readKeptTrial(text: string): KeptTrial | undefined {
  const value = parsed(text);
  return isTrial(value) ? (value as KeptTrial) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
