import { setTimeout as milliseconds, setImmediate as nextTask } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { unzipSync } from 'fflate';
import type { TapeFormat } from '../../src/core/tapes/format';
import { decodeTapeFile } from '../../src/core/tapes/tapeFile';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const RATIO = 10;
/** What any small file may take: tables, caches, compiled code. */
const FLOOR = 512 * 1024;

/** The bytes that a tape of an input may keep alive. */
export function mostKept(path: string, input: Buffer): number {
  return Math.max(FLOOR, unpackedBytes(path, input) * RATIO);
}

/** The compiler works beside us, and holds what the functions that it optimises held, until it is done. */
const COMPILER_MS = 10;
const MOST_WAITS = 5;

/**
 * What file, tape and its problems keep alive. What is kept only until a task ends does not count, nor what is let go
 * soon: where it seems to be more than `expected`, it is measured again a moment later.
 */
export async function keptBytes(format: TapeFormat, path: string, input: Buffer, expected = 0): Promise<number> {
  await nextTask();
  const before = liveBytes();
  try {
    const file = decodeTapeFile(path, input);
    const tape = format.read(file);
    const kept = [file, tape, tape.problems];
    await nextTask();
    let grown = liveBytes() - before;
    for (let waits = 0; grown > expected && waits < MOST_WAITS; waits += 1) {
      await milliseconds(COMPILER_MS);
      grown = Math.min(grown, liveBytes() - before);
    }
    return kept.length === 0 ? 0 : grown;
  } catch {
    return 0;
  }
}

/** What the input is unpacked: the tape has to hold that. */
export function unpackedBytes(path: string, input: Buffer): number {
  if (input.subarray(0, 2).toString('latin1') !== 'PK') return decodeTapeFile(path, input).text.length;
  try {
    return Object.values(unzipSync(input)).reduce((sum, { length }) => sum + length, 0);
  } catch {
    return input.length;
  }
}

/** Twice: what buffers held is let go after the first. */
function liveBytes(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
