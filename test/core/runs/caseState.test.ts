import assert from 'node:assert/strict';
import fc from 'fast-check';
import { caseKindOf } from '../../../src/core/cases/registry';
import { prettyJson } from '../../../src/core/json/json';
import type { RunRecord } from '../../../src/core/model/runRecord';
import { caseInputs } from '../../../src/core/runs/caseInputs';
import { type CaseFacts, caseState, isOutdated, outdatedReason, stateWords } from '../../../src/core/runs/caseState';
import { readRunRecord, storedRunRecord } from '../../../src/core/runs/runRecordFile';

const content = (sha256: string) => ({ size: 1, modifiedMs: 1, sha256 });
const RUN: RunRecord = {
  finishedAtMs: 1,
  name: 'order',
  mode: 'replay',
  status: 'passed',
  durationMs: 2,
  failures: [],
  compared: 'Matches baseline',
  checkedNothing: false,
  inputs: [
    { role: 'case', path: 'a.toml', content: content('1') },
    { role: 'tape', path: 'a.tape.json', content: content('2') },
    { role: 'baseline', path: 'a.baseline.json' },
    { role: 'rules', path: 'tapedeck.toml', content: content('3') },
    { role: 'agent', path: 'agent.py', content: content('4') },
  ],
  sources: [],
};
const AS_IT_WAS: readonly (readonly [string, string | null])[] = RUN.inputs.map(
  ({ path, content }) => [path, content?.sha256 ?? null] as const,
);
const stateWith = (facts: Partial<CaseFacts>) =>
  caseState({ isBroken: false, isRunning: false, run: RUN, now: new Map(AS_IT_WAS), pending: 0, ...facts });
const differs: RunRecord = { ...RUN, status: 'failed', failures: [{ kind: 'difference', message: 'Output' }] };

describe('the state of a case', () => {
  it('is that of the last run, for exactly what it ran with', () => {
    assert.equal(stateWords(stateWith({})), 'passed');
    assert.equal(stateWords(stateWith({ run: undefined, now: new Map() })), 'not run yet');
    assert.equal(stateWords(stateWith({ isRunning: true })), 'running');
    assert.equal(stateWords(stateWith({ isBroken: true })), 'cannot be read');
  });

  it('is outdated once one input differs, is gone, or came, and again current when it is back', () => {
    const cases = [
      ['a.toml', 'x', 'the case'],
      ['a.tape.json', null, 'the tape'],
      ['a.baseline.json', 'new', 'the baseline'],
      ['tapedeck.toml', 'x', 'tapedeck.toml'],
      ['agent.py', 'x', "the agent's source"],
      ['more.py', 'new', "the agent's source"],
    ] as const;
    for (const [path, now, what] of cases) {
      const state = stateWith({ now: new Map([...AS_IT_WAS, [path, now]]) });
      assert.equal(outdatedReason(state), `Outdated: ${what} changed after the last run.`, path);
      assert.equal(stateWords(state), 'passed, outdated');
    }
    assert.equal(isOutdated(stateWith({})), false);
  });

  it('is to be reviewed when nothing but differences failed it and some are pending', () => {
    assert.equal(stateWords(stateWith({ run: differs, pending: 2 })), '2 to review');
    assert.equal(stateWords(stateWith({ run: differs })), 'failed');
    const unmet = { ...differs, failures: [...differs.failures, { kind: 'assertion', message: 'contains' } as const] };
    assert.equal(stateWords(stateWith({ run: unmet, pending: 2 })), 'failed, 2 to review');
    // The baseline was replaced by another one.
    const now = new Map([...AS_IT_WAS, ['a.baseline.json', 'other'] as const]);
    assert.equal(stateWords(stateWith({ now, pending: 1 })), 'passed, 1 to review, outdated');
  });

  it('says that nothing was compared', () => {
    assert.equal(stateWords(stateWith({ run: { ...RUN, checkedNothing: true } })), 'passed, nothing compared');
  });
});

describe('the record of a run', () => {
  it('reads as it was written, and not when it is damaged or of another version', () => {
    const text = prettyJson(storedRunRecord(RUN));
    assert.deepEqual(readRunRecord(text), { version: 1, ...RUN });
    assert.equal(readRunRecord(text.slice(1)), undefined);
    assert.equal(readRunRecord(text.replace('"version": 1', '"version": 2')), undefined);
    assert.equal(readRunRecord(text.replace('"inputs"', '"input"')), undefined);
  });

  it('does not read with any member of another type', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(RUN), 'version'), fc.constantFrom(null, [null], {}), (key, value) =>
        assert.equal(readRunRecord(JSON.stringify({ ...storedRunRecord(RUN), [key]: value })), undefined),
      ),
    );
  });
});

describe('the inputs of a case', () => {
  const inputsOf = (toml: string, path = 'cases/a.toml') => {
    const listed = caseKindOf(toml, path)?.list(toml, path).cases[0];
    assert.ok(listed);
    return caseInputs(path, listed);
  };

  it('are the case, what it reads, its tapes, its baseline and the rules', () => {
    const { files } = inputsOf(
      'name = "a"\nprompt = "p"\n[llm]\ntape = "../tapes/./a.tape.json"\n[assert]\nsemantic = "a.semantic.yaml"\n',
    );
    assert.deepEqual(
      files.map(({ role, path }) => `${role} ${path}`),
      [
        'case cases/a.toml',
        'case cases/a.semantic.yaml',
        'tape tapes/a.tape.json',
        'baseline cases/a.baseline.json',
        'rules tapedeck.toml',
      ],
    );
  });

  it("are also the source of the user's own agent: what its command names, or what `watch` names", () => {
    const own = (agent: string) => `name = "a"\nprompt = "p"\n[agent]\n${agent}\n[llm]\ntape = "t.json"\n`;
    assert.deepEqual(inputsOf(own('command = ["python3", "-u", "src/agent.py", "--fast"]\ncwd = ".."')).sources, [
      { path: 'src/agent.py' },
      { path: 'src', extension: 'py' },
    ]);
    assert.deepEqual(inputsOf(own('command = ["python3", "-m", "team.agent"]\ncwd = ".."')).sources, [
      { path: 'team.py' },
      { path: 'team', extension: 'py' },
    ]);
    assert.deepEqual(inputsOf(own('command = ["go", "run", "."]')).sources, [
      { path: 'cases/go.mod' },
      { path: 'cases', extension: 'go' },
    ]);
    const node = inputsOf(own('command = ["pnpm", "run", "agent"]')).sources;
    assert.deepEqual([node[0], node[4]], [{ path: 'cases/package.json' }, { path: 'cases', extension: 'ts' }]);
    assert.deepEqual(inputsOf(own('command = ["./run.sh"]')).sources[0], { path: 'cases/run.sh' });
    assert.deepEqual(inputsOf(own('command = ["make", "agent"]')).sources, []);
    const watched = inputsOf(own('command = ["npm", "run", "agent"]\nwatch = ["../src", "../prompt.md"]')).sources;
    assert.deepEqual(watched, [{ path: 'src' }, { path: 'prompt.md' }]);
    assert.deepEqual(inputsOf(own('url = "http://127.0.0.1:1/run"\nwatch = ["."]')).sources, [{ path: 'cases' }]);
  });
});
