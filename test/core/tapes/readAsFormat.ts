import assert from 'node:assert/strict';
import type { Tape } from '../../../src/core/model/tape';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { type TapeFile, tapeFileFromText } from '../../../src/core/tapes/tapeFile';

export function readFileAs(file: TapeFile, format: string): Tape {
  const found = detectFormat(file);
  assert.equal(found?.id, format);
  const tape = found?.read(file);
  assert.ok(tape);
  return tape;
}

export function readTextAs(text: string, format: string, path = ''): Tape {
  return readFileAs(tapeFileFromText(text, path), format);
}

export const jsonLines = (...values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n');
