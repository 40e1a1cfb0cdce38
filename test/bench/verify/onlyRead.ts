// Reads the tapes of a folder as `verify` reads them first, in as many threads, and checks nothing: what its checks come on top of.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { decodeTapeFile } from '../../../src/core/tapes/tapeFile';

const [script, folder] = process.argv.slice(1) as [string, string];

function read(paths: readonly string[]): void {
  for (const path of paths) {
    const file = decodeTapeFile(path, readFileSync(path));
    const tape = detectFormat(file)?.read(file);
    if (tape === undefined) continue;
    for (const { source } of tape.interactions) if (source.end < source.start) throw new Error(path);
  }
}

if (isMainThread) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const threads = availableParallelism();
  const part = (of: number): string[] => paths.filter((_, at) => at % threads === of);
  for (let at = 1; at < threads; at += 1) new Worker(script, { workerData: part(at) });
  read(part(0));
} else read(workerData as string[]);
