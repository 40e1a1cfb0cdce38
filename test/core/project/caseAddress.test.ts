import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseCaseAddress, writeCaseAddress } from '../../../src/core/project/caseAddress';
import { CASE_FILES_GLOB, mayHoldCases } from '../../../src/core/project/filePatterns';
import { artifactPath, baselinePath, decisionPath, owningCasePath } from '../../../src/core/project/layout';

describe('the address of a case', () => {
  it('comes back as it was written, whatever the id', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('a/b.yaml', 'c.toml', 'd e.json'),
        fc.string({ minLength: 1, unit: 'binary' }),
        (path, id) => {
          fc.pre(isWellFormed(id));
          const address = writeCaseAddress({ path, id });
          assert.deepEqual(parseCaseAddress(address), { path, id });
          assert.equal(address.slice(path.length).includes('/'), false);
          for (const file of [artifactPath(address), baselinePath(address), decisionPath(address)])
            assert.equal(owningCasePath(file), address);
        },
      ),
    );
  });

  it('is a plain path where there is no id', () => {
    for (const path of ['a.toml', 'a#b.toml', 'x.txt#y', 'a.yaml#%'])
      assert.deepEqual(parseCaseAddress(path), { path });
  });
});

function isWellFormed(text: string): boolean {
  try {
    return encodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

const MAY = [
  'a.toml',
  'flakestorm.yaml',
  'x/replays/s.json',
  'a.scenario.json',
  'tests__scenarios__basic.json',
  'goldens/a.golden.json',
  'cases/deep/er/a.json',
  'tests/cassettes/case.toml',
  'tests/cassettes/test_a/test_b.json',
  'tests/fixtures/llm/a.jsonl',
];
const MAY_NOT = [
  'package.json',
  'cassettes/a.yaml',
  'tapes/a.json',
  'cases/a.baseline.json',
  'replays/a.tape.json',
  'a.ts',
];

/** `**`, `*` and names: enough for the glob of cases. */
function matchesGlob(path: string, glob: string): boolean {
  const part = { '**/': '(?:.*/)?', '*': '[^/]*', '.': '\\.' } as Readonly<Record<string, string>>;
  const source = glob.replace(/\*\*\/|\*|\./g, (found) => part[found] ?? '');
  return new RegExp(`^${source}$`).test(path);
}

describe('files that may hold cases', () => {
  it('are told by their names', () => {
    for (const path of MAY) assert.ok(mayHoldCases(path), path);
    for (const path of MAY_NOT) assert.ok(!mayHoldCases(path), path);
  });

  it('are all found by the glob, and tapes are not', () => {
    const patterns = CASE_FILES_GLOB.slice(1, -1).split(',');
    for (const path of MAY)
      assert.ok(
        patterns.some((pattern) => matchesGlob(path, pattern)),
        path,
      );
    assert.ok(!patterns.some((pattern) => matchesGlob('suite/tapes/a.tape.json', pattern)));
  });
});
