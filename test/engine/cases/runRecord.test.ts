import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../../src/core/hash/digest';
import type { RequestedMode, RunResult } from '../../../src/core/model/run';
import { readRunRecord } from '../../../src/core/runs/runRecordFile';
import { runCase } from '../../../src/engine/cases/runCase';
import { UserError } from '../../../src/engine/errors/userError';
import { startedByUser } from '../../../src/engine/execution/runnableCase';
import { NetworkPolicy } from '../../../src/engine/network/policy';
import { createRecorders } from '../../../src/engine/recording/openRecorder';
import { keysOf } from '../../harness/network';
import { inFolder } from '../../harness/support';

const CASE = 'name = "a"\nprompt = "hello"\n[llm]\nresponses = ["hi"]\n';
const RECORD = '.tapedeck/runs/cases/a.result.json';

interface Options {
  readonly mode?: RequestedMode;
  readonly signal?: AbortSignal;
  readonly permitStart?: typeof startedByUser;
}

async function run(root: string, files: Readonly<Record<string, string>>, options: Options = {}): Promise<RunResult> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const { mode = 'replay', signal = new AbortController().signal, permitStart = startedByUser } = options;
  return runCase(join(root, 'cases/a.toml'), {
    ...{ root, mode, signal, permitStart },
    recorders: createRecorders({}),
    network: NetworkPolicy.for(mode, keysOf({})),
  });
}

async function recordIn(root: string) {
  const record = readRunRecord(await readFile(join(root, RECORD), 'utf8'));
  assert.ok(record);
  return record;
}

describe('the record of a run on disk', () => {
  it('holds the result and the inputs it holds for', async () => {
    await inFolder(async (root) => {
      await run(root, { 'cases/a.toml': CASE });
      const { status, mode, checkedNothing, inputs } = await recordIn(root);
      assert.deepEqual({ status, mode, checkedNothing }, { status: 'passed', mode: 'scripted', checkedNothing: true });
      assert.deepEqual(
        inputs.map(({ role, path, content }) => [role, path, content?.sha256]),
        [
          ['case', 'cases/a.toml', sha256Hex(CASE)],
          ['baseline', 'cases/a.baseline.json', undefined],
          ['rules', 'tapedeck.toml', undefined],
        ],
      );
    });
  });

  it('holds the tape as the recording left it', async () => {
    await inFolder(async (root) => {
      const practice =
        'name = "a"\nprompt = "hello"\n[llm]\nrecord_tape = "../t.tape.json"\n[llm.provider]\nkind = "practice"\n';
      const result = await run(root, { 'cases/a.toml': practice }, { mode: 'record' });
      assert.deepEqual(result.failures, []);
      const tape = (await recordIn(root)).inputs.find(({ role }) => role === 'tape');
      assert.equal(tape?.content?.sha256, sha256Hex(await readFile(join(root, 't.tape.json'), 'utf8')));
    });
  });

  it('is kept of a case that failed before it ran, with its failures, and stays as it was after a cancel', async () => {
    await inFolder(async (root) => {
      const missing = 'name = "a"\nprompt = "p"\n[llm]\ntape = "none.tape.json"\n';
      await run(root, { 'cases/a.toml': missing });
      assert.equal((await recordIn(root)).status, 'failed');
      const before = await readFile(join(root, RECORD), 'utf8');
      const cancelled = await run(root, {}, { signal: AbortSignal.abort() });
      assert.equal(cancelled.status, 'cancelled');
      assert.equal(await readFile(join(root, RECORD), 'utf8'), before);
    });
  });

  it("holds the source of the user's own agent", async () => {
    await inFolder(async (root) => {
      const own =
        'name = "a"\nprompt = "p"\n[agent]\ncommand = ["python3", "agent.py"]\ncwd = "../src"\n[llm]\ntape = "t.tape.json"\n';
      await run(root, { 'cases/a.toml': own, 'src/agent.py': 'print(1)', 'src/tools/x.py': '', 'src/notes.md': '' });
      const { inputs, sources } = await recordIn(root);
      assert.deepEqual(
        inputs.filter(({ role }) => role === 'agent').map(({ path }) => path),
        ['src/agent.py', 'src/tools/x.py'],
      );
      assert.deepEqual(sources, [{ path: 'src/agent.py' }, { path: 'src', extension: 'py' }]);
    });
  });

  it('is not written of a run that is refused, and without secrets where the rules are broken', async () => {
    await inFolder(async (root) => {
      const own = 'name = "a"\nprompt = "p"\n[agent]\ncommand = ["true"]\n[llm]\ntape = "t.tape.json"\n';
      const permitStart = async () => {
        throw new UserError('refused');
      };
      const refused = await run(root, { 'cases/a.toml': own }, { permitStart });
      assert.equal(refused.status, 'failed');
      assert.equal(existsSync(join(root, RECORD)), false);
      await run(root, { 'cases/a.toml': CASE, 'tapedeck.toml': '[redact]\npatterns = ["("]\n' });
      const { status, failures } = await recordIn(root);
      assert.equal(status, 'failed');
      assert.match(failures[0]?.message ?? '', /tapedeck\.toml:2/);
    });
  });
});
