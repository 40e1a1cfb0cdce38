import { type RunRecord, STORED_RUN_RECORD } from '../model/runRecord';
import { parseDocument } from '../schema/parseDocument';
import type { Value } from '../schema/schema';

type StoredRunRecord = Value<typeof STORED_RUN_RECORD>;

export function storedRunRecord(record: RunRecord): StoredRunRecord {
  return { version: 1, ...record };
}

/** Reads the record of a run; undefined for a file of another version, or one that is damaged. */
export function readRunRecord(text: string): RunRecord | undefined {
  return parseDocument(STORED_RUN_RECORD, text);
}
