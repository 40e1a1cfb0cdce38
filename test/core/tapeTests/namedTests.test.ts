import assert from 'node:assert/strict';
import { NamedTests } from '../../../src/core/tapeTests/namedTests';
import { testRun } from '../../../src/core/tapeTests/registry';
import { folderOf } from '../../../src/core/tapeTests/testPaths';

type Files = Readonly<Record<string, string>>;

const namedIn = (files: Files): NamedTests =>
  new NamedTests({
    text: async (path) => files[path],
    filesIn: async (folder) => Object.keys(files).filter((path) => folderOf(path) === folder),
  });

/** `FILE: LINE` of the test that a tape names, or why it is an orphan. */
async function found(files: Files, test: string, path = 'pkg/tapes/a/x.tape.jsonl'): Promise<string> {
  const tests = namedIn(files);
  const one = await tests.testOf({ path, test });
  const orphan = await tests.orphanReason({ path, test });
  if (one === undefined) return orphan ?? 'unknown';
  assert.equal(orphan, undefined);
  const [line = ''] = (files[one.file] ?? '').slice(one.nameSpan.start).split('\n');
  return `${one.file}: ${line}`;
}

describe('the test that a tape names', () => {
  it('of pytest is found with its class and without its parameters, however the project calls its tests', async () => {
    const files = {
      'pkg/test_a.py':
        'import pytest\n@pytest.mark.parametrize("c", ["a::b"])\nasync def test_city(c): pass\nclass TestA:\n  def test_city(self): pass\ndef check_it(): pass',
    };
    const line = (name: string) => found(files, `test_a.py::${name}`);
    assert.equal(await line('test_city[a::b]'), 'pkg/test_a.py: test_city(c): pass');
    assert.equal(await line('TestA::test_city'), 'pkg/test_a.py: test_city(self): pass');
    assert.equal(await line('check_it'), 'pkg/test_a.py: check_it(): pass');
    assert.equal(await line('test_cit'), 'pkg/test_a.py has no test test_cit');
    assert.equal(await line('TestB::test_city'), 'pkg/test_a.py has no test TestB::test_city');
  });

  it('may be inherited, or imported: then it is nobody’s orphan', async () => {
    const shared = { 'pkg/test_a.py': 'from shared import *\ndef test_b(): pass' };
    const derived = { 'pkg/test_a.py': 'class TestA(Base):\n  pass\ndef test_b(): pass' };
    assert.equal(await found(shared, 'test_a.py::test_a'), 'unknown');
    assert.equal(await found(derived, 'test_a.py::TestA::test_a'), 'unknown');
    const called = { 'pkg/a.test.ts': "describe('a', () => sharedTests());" };
    assert.equal(await found(called, 'a.test.ts::a > b'), 'unknown');
  });

  it('of JavaScript is found by its suites and titles, also computed ones: the most literal', async () => {
    const files = {
      'pkg/a.test.ts': `describe('orders', () => {
  it('asks', run);
  it.each([1])('asks %i times', run);
  for (const n of [1]) it('counts ' + n, run);
  it(\`tells \${x} twice\`, run);
  it(title, run);
});
it('asks', other);
test.describe('shop', () => { test.only('opens', run); });
ownTest('is mine', run);`,
    };
    const line = async (name: string) => (await found(files, `a.test.ts::${name}`)).replace(/^.*?: /, '');
    assert.equal(await line('orders > asks'), "it('asks', run);");
    assert.equal(await line('asks'), "it('asks', other);");
    assert.equal(await line('orders > asks 3 times'), "it.each([1])('asks %i times', run);");
    assert.equal(await line('orders > counts 7'), "it('counts ' + n, run);");
    assert.equal(await line('orders > tells a > b twice'), 'it(`tells $' + '{x} twice`, run);');
    assert.equal(await line('orders > whatever'), 'it(title, run);');
    assert.equal(await line('shop > opens'), "test.only('opens', run); });");
    assert.equal(await line('is mine'), "ownTest('is mine', run);");
    assert.equal(await line('shop > closes'), 'it(title, run);', 'a computed title may be any');
    assert.equal(
      await found({ 'pkg/a.test.ts': "it('asks', run)" }, 'a.test.ts::answers'),
      'pkg/a.test.ts has no test answers',
    );
  });

  it('of Go is found in any file of its package; a computed subtest in its test', async () => {
    const files = {
      'pkg/a_test.go':
        'package a\nfunc TestA(t *testing.T) {\n t.Run("in Rome", func(t *testing.T) {})\n t.Run(name, f)\n}',
      'pkg/b_test.go': 'package a\nfunc TestB(t *testing.T) {}',
      'pkg/b.go': 'package a\nfunc TestC(t *testing.T) {}',
    };
    const at = (name: string) => found(files, `a_test.go::${name}`, 'pkg/testdata/tapes/X.tape.jsonl');
    assert.equal(await at('TestA/in_Rome'), 'pkg/a_test.go: "in Rome", func(t *testing.T) {})');
    assert.equal(await at('TestA/computed'), 'pkg/a_test.go: TestA(t *testing.T) {');
    assert.equal(await at('TestB'), 'pkg/b_test.go: TestB(t *testing.T) {}');
    assert.equal(await at('TestC'), 'pkg/a_test.go has no test TestC');
  });

  it('is looked for in the folders around its tape, the nearest first, and below a root that is not the runner’s', async () => {
    const test = 'def test_a(): pass';
    const tape = 'pkg/tests/tapes/test_a/test_a.tape.jsonl';
    const near = { 'pkg/tests/test_a.py': test, 'tests/test_a.py': test };
    assert.equal(await found(near, 'tests/test_a.py::test_a', tape), 'pkg/tests/test_a.py: test_a(): pass');
    assert.equal(await found(near, 'repo/tests/test_a.py::test_a', tape), 'tests/test_a.py: test_a(): pass');
    assert.equal(
      await found({ 'x.py': '' }, 'tests/test_a.py::test_a', tape),
      'its test file tests/test_a.py no longer exists',
    );
    for (const id of ['test_a', '/etc/test_a.py::test_a', 'a.yaml::x', 'C:/test_a.py::test_a'])
      assert.equal(await found(near, id, tape), 'unknown', id);
  });

  it('runs alone in its runner, which replays it or records its tape', async () => {
    const run = async (file: string, text: string, name: string, mode: 'replay' | 'record', requirements = '') => {
      const test = await namedIn({ [file]: text }).testOf({ path: 'pkg/x.tape.jsonl', test: `${file}::${name}` });
      assert.ok(test);
      const { program, args, env, needsTapeAside } = testRun(test, mode, { folder: '', requirements });
      assert.equal(needsTapeAside, false);
      return [...Object.entries(env).map((pair) => pair.join('=')), program, ...args].join(' ');
    };
    const py = 'def test_a(): pass';
    assert.equal(
      await run('pkg/test_a.py', py, 'test_a[1]', 'record'),
      'pytest pkg/test_a.py::test_a[1] --tapedeck=rewrite',
    );
    const js = "it('a ' + n, run)";
    assert.equal(
      await run('a.test.ts', js, 'a 1', 'replay', '"vitest"'),
      'TAPEDECK_MODE=replay vitest run a.test.ts --coverage.enabled=false -t ^\\s*a 1$',
    );
    assert.equal(
      await run('a.test.ts', js, 'a 1', 'record', '"jest"'),
      'TAPEDECK_MODE=record jest --runTestsByPath a.test.ts --coverage=false -t ^a 1$',
    );
    assert.equal(
      await run(
        'a.spec.ts',
        `import { test } from '@tapedeck/cli/playwright';\ntest.describe('s', () => { test('a', run) })`,
        's > a',
        'replay',
      ),
      'TAPEDECK_MODE=replay playwright test a\\.spec\\.ts$ --grep  s(?: > | )a$',
    );
    assert.equal(
      await run('a.test.mjs', `import { test } from '@tapedeck/cli/node-test';\ntest('a', run)`, 'a', 'record'),
      'TAPEDECK_MODE=record node --test --test-name-pattern=^a$ a.test.mjs',
    );
    assert.equal(
      await run('a_test.go', 'func TestA(t *testing.T) {}', 'TestA/x', 'record'),
      'go test . -count=1 -run ^TestA$/^x$ -tapedeck=rewrite',
    );
  });
});
