import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCase } from '../../../src/engine/cases/runCase';
import { startedByUser } from '../../../src/engine/execution/runnableCase';
import { NetworkPolicy } from '../../../src/engine/network/policy';
import { makeCaseApi } from '../../../src/engine/recording/makeCase';
import { createRecorders } from '../../../src/engine/recording/openRecorder';
import { genAi } from '../../core/tapes/formats/traceSamples';
import { keysOf } from '../../harness/network';

describe('a case of a run, for the editor', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'tapedeck-made-')));
    mkdirSync(join(root, 'cases'));
    writeFileSync(join(root, 'trace.json'), JSON.stringify(genAi));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const make = (casePath: string, tape = 'trace.json') =>
    makeCaseApi.makeCase({ root, tapePath: join(root, tape), casePath });

  it('is written with its tape, and replays', async () => {
    const casePath = join(root, 'cases/shop.toml');
    const made = await make(casePath);
    assert.deepEqual(readdirSync(join(root, 'cases')).sort(), ['shop.tape.jsonl', 'shop.toml']);
    assert.equal(made.kept, 2);
    assert.match(made.lacks.join(), /temperature/);
    const { status } = await runCase(casePath, {
      root,
      permitStart: startedByUser,
      recorders: createRecorders({}),
      mode: 'replay',
      signal: new AbortController().signal,
      network: NetworkPolicy.for('replay', keysOf({})),
    });
    assert.equal(status, 'passed');
  });

  it('replaces neither a case nor a tape', async () => {
    for (const there of ['cases/a.toml', 'cases/b.tape.jsonl']) {
      writeFileSync(join(root, there), 'mine');
      const casePath = join(root, there.replace('.tape.jsonl', '.toml'));
      await assert.rejects(make(casePath), { message: `${there} already exists` });
      assert.equal(readFileSync(join(root, there), 'utf8'), 'mine');
    }
    assert.deepEqual(readdirSync(join(root, 'cases')).sort(), ['a.toml', 'b.tape.jsonl']);
  });

  it('is not written outside of the project, nor of what is no run', async () => {
    await assert.rejects(make(join(root, '../elsewhere.toml')), /outside the project/);
    writeFileSync(join(root, 'empty.json'), '{"resourceSpans":[]}');
    await assert.rejects(make(join(root, 'cases/a.toml'), 'empty.json'), /has no prompt/);
    await assert.rejects(make(join(root, 'cases/a.toml'), 'gone.json'), /gone\.json/);
    assert.deepEqual(readdirSync(join(root, 'cases')), []);
  });
});
