import type { TapeTest, TestRecorder, TestTapeUse } from '../tapeTest';
import { ancestorsOf, folderOf, joined, normal } from '../testPaths';
import type { TestKind, TestMode, TestProject, TestRun } from '../testRun';
import type { PythonCall } from './pythonCalls';
import { type PythonTest, readPythonTests } from './pythonTests';
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

const MARK = /(?:^|\.)mark\./;

/** The tapes that a test uses, by the marks, decorators and fixtures of the recorders. `testFile` is from the root. */
function testTapeUses(test: PythonTest, testFile: string): TestTapeUse[] {
  const isFamily = test.marks.some(({ name }) => MARK.test(name) && name.endsWith('.parametrize'));
  const place = { folder: folderOf(testFile), stem: stemOf(testFile), test, isFamily };
  return [
    ...tapedeckUse(place),
    ...checkagentUse(place),
    ...marked(test, 'replay').flatMap((mark) => reynUse(place, mark)),
    ...vcrUse(place),
    ...[...test.marks, ...test.cassettes].flatMap((call) => cassetteUse(place, call)),
  ];
}

interface TestPlace {
  readonly folder: string;
  readonly stem: string;
  readonly test: PythonTest;
  readonly isFamily: boolean;
}

function marked({ marks }: PythonTest, mark: string): PythonCall[] {
  return marks.filter(({ name }) => MARK.test(name) && name.endsWith(`.${mark}`));
}

/** pytest-tapedeck's `tapes/FILE/TEST.tape.jsonl`, or a cassette of pytest-recording that is there; or the one that is named. */
function tapedeckUse({ folder, stem, test, isFamily }: TestPlace): TestTapeUse[] {
  const [mark] = marked(test, 'tapedeck');
  if (mark === undefined && !test.parameters.includes('tapedeck')) return [];
  const span = mark ?? test.nameSpan;
  if (mark !== undefined && (mark.args.length > 0 || mark.keywords.has('tape'))) {
    const path = mark.args[0] ?? mark.keywords.get('tape');
    const paths = path === undefined ? [] : [joined(folder, 'tapes', path)];
    return [{ recorder: 'tapedeck', paths, isFamily: false, span }];
  }
  const cassette = vcrName(test);
  const own = joined(folder, 'tapes', stem, cassette.replace(/\.yaml$/, '.tape.jsonl'));
  const taken = [joined(folder, 'cassettes', stem, cassette), joined(folder, 'cassettes', cassette)];
  return [{ recorder: 'tapedeck', paths: [own, ...taken], isFamily, span }];
}

/** `ca_cassette`: the tape of `@pytest.mark.cassette`, relative to pytest's working directory, or one named after file and test. */
function checkagentUse({ folder, stem, test, isFamily }: TestPlace): TestTapeUse[] {
  const [mark] = marked(test, 'cassette');
  if (mark === undefined && !test.parameters.includes('ca_cassette')) return [];
  const span = mark ?? test.nameSpan;
  if (mark !== undefined && (mark.args.length > 0 || mark.keywords.has('path'))) {
    const path = mark.args[0] ?? mark.keywords.get('path');
    return [{ recorder: 'checkagent', paths: path === undefined ? [] : [normal(path)], isFamily: false, span }];
  }
  return [{ recorder: 'checkagent', paths: [joined(folder, 'cassettes', stem, `${test.name}.json`)], isFamily, span }];
}

/** Reyn's fixtures are relative to the folder of its `conftest.py`, which is `tests` or a folder above it. */
function reynUse({ folder }: TestPlace, mark: PythonCall): TestTapeUse[] {
  const [fixture] = mark.args;
  const folders = ancestorsOf(folder);
  const home = folders.findIndex((path) => /(?:^|\/)tests?$/.test(path));
  const ordered = home === -1 ? folders : [...folders.slice(home), ...folders.slice(0, home)];
  const paths = fixture === undefined ? [] : ordered.map((path) => joined(path, fixture));
  return [{ recorder: 'reyn', paths, isFamily: false, span: mark }];
}

/** pytest-recording's `cassettes/FILE/TEST.yaml`, pytest-vcr's `cassettes/TEST.yaml`, and further ones by name. */
function vcrUse({ folder, stem, test, isFamily }: TestPlace): TestTapeUse[] {
  const [mark] = marked(test, 'vcr');
  if (mark === undefined) return [];
  const [named] = marked(test, 'default_cassette');
  const name = named === undefined ? vcrName(test) : named.args[0];
  const own = name === undefined ? [] : [joined(folder, 'cassettes', stem, name), joined(folder, 'cassettes', name)];
  const more = mark.args.map(
    (path): TestTapeUse => ({
      recorder: 'vcr',
      paths: path === undefined ? [] : [joined(folder, 'cassettes', stem, path), joined(folder, path)],
      isFamily: false,
      span: mark,
    }),
  );
  return [{ recorder: 'vcr', paths: own, isFamily: isFamily && named === undefined, span: mark }, ...more];
}

/** Replaces characters that file names cannot contain with hyphens, as pytest-recording does. */
function vcrName({ classes, name }: PythonTest): string {
  const own = classes.at(-1);
  return `${own === undefined ? name : `${own}.${name}`}.yaml`.replace(/[<>?%*:|"'/\\]/g, '-');
}

/** `vcr.use_cassette("PATH")`; without a path, the function's name in a folder that is computed while the test runs. */
function cassetteUse({ folder, test }: TestPlace, call: PythonCall): TestTapeUse[] {
  if (!/(?:^|\.)use_cassette$/.test(call.name)) return [];
  const path = call.args[0] ?? call.keywords.get('path');
  const isNamed = call.args.length > 0 || call.keywords.has('path');
  const name = isNamed ? path : test.name;
  const paths = name === undefined ? [] : isNamed ? [normal(name), joined(folder, name)] : [joined(folder, name)];
  return [{ recorder: 'use_cassette', paths, isFamily: false, span: call }];
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.py$/, '');
}
