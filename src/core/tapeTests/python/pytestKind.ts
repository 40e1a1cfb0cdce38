import type { TapeTest, TestRecorder } from '../tapeTest';
import type { TestKind, TestMode, TestProject, TestRun } from '../testRun';
import { testTapeUses } from './pythonTapeUse';
import { readPythonTests } from './pythonTests';
import { nodeName } from './testNames';

/** The tests that pytest collects. */
export const pytestKind: TestKind = {
  language: 'python',
  isTestFile: (path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path),
  sources: /\.py$/,
  mayImport: /\bimport\s*\*|\bclass\s+\w+\s*\(/,
  named: (text) =>
    readPythonTests(text, () => true).map(({ nameSpan, start, ...test }) => {
      const name = nodeName(test);
      return { names: [[name], [`${name}[`, '']], nameSpan, start };
    }),
  selectOf: (name) => name,
  read: (file, text) => {
    if (!MENTIONS.test(text)) return { tests: [], isUnclear: false };
    const tests = readPythonTests(text).flatMap((test) => {
      const uses = testTapeUses(test, file);
      const { nameSpan, start } = test;
      const name = nodeName(test);
      return uses.length === 0
        ? []
        : [{ file, language: 'python' as const, name, select: name, nameSpan, start, uses }];
    });
    return { tests, isUnclear: false };
  },
  run: pytestRun,
};

/** Matches files that may use tapes; most test files do not, and need not be read. */
const MENTIONS = /\b(?:ca_cassette|use_cassette|tapedeck|mark\.(?:cassette|replay|vcr))\b/;

/** The two plugins that define `@pytest.mark.vcr`. They exclude each other. */
type VcrPlugin = 'pytest-recording' | 'pytest-vcr';

/** Replays a test, without network access where its recorder has an option, or records it. */
function pytestRun({ file, select, uses }: TapeTest, mode: TestMode, { requirements }: TestProject): TestRun {
  const id = `${file}::${select}`;
  const run = { program: 'pytest' as const, args: [id], env: {}, folder: '', needsTapeAside: false };
  const recorder: TestRecorder = uses[0]?.recorder ?? 'vcr';
  switch (recorder) {
    case 'reyn':
      return { ...run, env: { REYN_LLM_RECORD: mode === 'record' ? '1' : '0' } };
    case 'tapedeck':
      return { ...run, args: [id, `--tapedeck=${mode === 'record' ? 'rewrite' : 'none'}`] };
    case 'vcr':
      return { ...run, args: [id, vcrSwitch(mode, vcrPluginOf(requirements))] };
    default:
      return { ...run, needsTapeAside: mode === 'record' };
  }
}

function vcrSwitch(mode: TestMode, plugin: VcrPlugin): string {
  if (plugin === 'pytest-vcr') return `--vcr-record=${mode === 'record' ? 'all' : 'none'}`;
  return `--record-mode=${mode === 'record' ? 'rewrite' : 'none'}`;
}

/** The plugin in a project's requirements; pytest-recording by default. */
function vcrPluginOf(requirements: string): VcrPlugin {
  return /\bpytest-vcr\b/.test(requirements) && !/\bpytest-recording\b/.test(requirements)
    ? 'pytest-vcr'
    : 'pytest-recording';
}
