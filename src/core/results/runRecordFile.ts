import type { RunRecord } from '../model/runRecord';

/** Readers of other versions ignore the file: the case then counts as not run. */
const VERSION = 1;

export interface StoredRunRecord extends RunRecord {
  readonly version: typeof VERSION;
}

export function storedRunRecord(record: RunRecord): StoredRunRecord {
  return { version: VERSION, ...record };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isListOf = (check: (item: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(check);
const isMaybe = (check: (value: unknown) => boolean) => (value: unknown) => value === undefined || check(value);
const has = (value: unknown, fields: Readonly<Record<string, (value: unknown) => boolean>>): boolean =>
  isObject(value) && Object.entries(fields).every(([key, check]) => check(value[key]));

const isFingerprint = (value: unknown): boolean => has(value, { size: isNumber, modifiedMs: isNumber, sha256: isText });
const isInput = (value: unknown): boolean =>
  has(value, { role: isText, path: isText, content: isMaybe(isFingerprint) });
const isFailure = (value: unknown): boolean => has(value, { kind: isText, message: isText });
const isSource = (value: unknown): boolean => has(value, { path: isText, extension: isMaybe(isText) });

/** Reads the record of a run; undefined for a file of another version, or one that is damaged. */
export function readRunRecord(text: string): RunRecord | undefined {
  const value = parsed(text);
  const isWhole = has(value, {
    version: (version) => version === VERSION,
    finishedAtMs: isNumber,
    name: isText,
    mode: isText,
    status: (status) => status === 'passed' || status === 'failed',
    durationMs: isNumber,
    failures: isListOf(isFailure),
    compared: isText,
    checkedNothing: (flag) => typeof flag === 'boolean',
    inputs: isListOf(isInput),
    sources: isListOf(isSource),
  });
  return isWhole ? (value as unknown as RunRecord) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
