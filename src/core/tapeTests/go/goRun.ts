import type { TapeTest } from '../tapeTest';
import { folderOf } from '../testPaths';
import type { TestMode, TestRun } from '../testRun';

/** Replays a test, or records it: Tapedeck by its flag, go-vcr if there is no cassette, httprr what its flag matches. */
export function goRun({ file, select = '', uses }: TapeTest, mode: TestMode): TestRun {
  const only = select
    .split('/')
    .map((name) => `^${escaped(name)}$`)
    .join('/');
  const recordsTraces = mode === 'record' && uses.some(({ recorder }) => recorder === 'httprr');
  // Not from Go's cache, which returns the last result if no file of the package has changed.
  const args = ['test', '.', '-count=1', '-run', only, ...(recordsTraces ? [`-httprecord=${traces(uses)}`] : [])];
  if (uses[0]?.recorder === 'tapedeck') {
    const own = [...args, `-tapedeck=${mode === 'record' ? 'rewrite' : 'none'}`];
    return { program: 'go', args: own, env: {}, folder: folderOf(file), needsTapeAside: false };
  }
  return { program: 'go', args, env: {}, folder: folderOf(file), needsTapeAside: mode === 'record' };
}

/** A regular expression of the test's traces; of any trace if they are unknown, since no other test runs. */
function traces(uses: TapeTest['uses']): string {
  const paths = uses.flatMap(({ recorder, paths: [path] }) => (recorder === 'httprr' ? [path] : []));
  if (paths.includes(undefined)) return '.';
  return paths.map((path = '') => `${escaped(path.slice(path.lastIndexOf('/') + 1))}$`).join('|');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
