import assert from 'node:assert/strict';
import { detectFormat } from '../../../src/core/tapes/readTape';
import type { Tape } from '../../../src/core/tapes/tape';
import { type TapeFile, textFile } from '../../../src/core/tapes/tapeFile';

export function readFile(file: TapeFile, format: string): Tape {
  const found = detectFormat(file);
  assert.equal(found?.id, format);
  const tape = found?.read(file);
  assert.ok(tape);
  return tape;
}

export function read(text: string, format: string, path = ''): Tape {
  return readFile(textFile(text, path), format);
}

export const lines = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');
