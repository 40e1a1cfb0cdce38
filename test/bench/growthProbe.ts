// node growthProbe.js lists FOLDER | transcript TAPE   what the reader does for the sidebar, and for a transcript that is scrolled
// to its end.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FileLister } from '../../src/reader/listFile';
import { readTapeFile } from '../../src/reader/readFile';
import { TapeSource } from '../../src/reader/tapeSource';

const [task = '', path = ''] = process.argv.slice(2);
void (task === 'lists' ? list(path) : read(path));

async function list(folder: string): Promise<void> {
  const lister = new FileLister();
  const secrets = { patterns: [], values: [] };
  const files = readdirSync(folder).map((path) => ({
    file: join(folder, path),
    path,
    isExpected: true as const,
    secrets,
  }));
  for (let at = 0; at < files.length; )
    at += (await lister.list({ files: files.slice(at, at + 100), layouts: {} })).length;
}

const PAGE = 50;

async function read(path: string): Promise<void> {
  const source = new TapeSource({ uri: { path }, version: 1, file: () => readTapeFile(path, path) });
  const state = await source.state();
  if (state.type !== 'transcript') throw new Error(state.message);
  while ((await source.grow()) !== null);
  const { length } = state.transcript;
  for (let at = 0; at < length; at += PAGE)
    await source.bodies({
      interactions: Array.from({ length: Math.min(PAGE, length - at) }, (_, index) => at + index),
    });
}
