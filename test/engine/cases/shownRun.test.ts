import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { readMessages } from '../../../build/l10n.mjs';
import { judgeAssertion } from '../../../src/core/cases/toml/assertions';
import type { Failure, RequestedMode, RunResult } from '../../../src/core/model/run';
import type { RunRecord } from '../../../src/core/model/runRecord';
import { readRunRecord, storedRunRecord } from '../../../src/core/runs/runRecordFile';
import { shownRun } from '../../../src/core/runs/shownRun';
import { ENGLISH, t, useTranslation } from '../../../src/core/text/l10n';
import { assertionFailure } from '../../../src/engine/cases/assertionFailures';
import { failuresOf } from '../../../src/engine/cases/judgeExecution';
import { runCase } from '../../../src/engine/cases/runCase';
import { ProviderError } from '../../../src/engine/errors/runErrors';
import { requireSuccess } from '../../../src/engine/execution/external/outcome';
import { startedByUser } from '../../../src/engine/execution/runnableCase';
import { NetworkPolicy } from '../../../src/engine/network/policy';
import { createRecorders } from '../../../src/engine/recording/openRecorder';
import { Recorder } from '../../../src/engine/recording/recorder';
import { runResultJson } from '../../../src/engine/reporters/runResultJson';
import { keysOf } from '../../harness/network';
import { inFolder } from '../../harness/support';

const messages = readMessages('l10n/bundle.l10n.zh-cn.json');

async function inChinese<T>(work: () => T): Promise<Awaited<T>> {
  useTranslation({ language: 'zh-cn', messages });
  try {
    return await work();
  } finally {
    useTranslation(ENGLISH);
  }
}

/** What a program may write: anything, and above all what Tapedeck says itself. */
const written = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(...Object.keys(messages)),
  fc.constantFrom(...Object.keys(messages)).map((id) => t(id, 'a', 'b', 'c', 'd')),
  fc.constantFrom('status: failed', 'Output: Hello', 'permission denied\nstatus: failed'),
);

const recorder = new Recorder({ environments: [], keys: {}, patterns: [] });

/** The failures as a window shows them that reads the record of the run. */
function afterStoring(failures: readonly Failure[]): readonly Failure[] {
  const run = {
    name: '',
    mode: 'replay',
    status: 'failed',
    durationMs: 1,
    compared: '',
    checkedNothing: false,
  } as const;
  const record: RunRecord = { ...run, finishedAtMs: 1, failures, inputs: [], sources: [] };
  const read = readRunRecord(JSON.stringify(storedRunRecord(record)));
  assert.ok(read);
  return shownRun(read).failures;
}

const texts = ({ message, fix, line, expected, actual }: Failure) => ({ message, fix, line, expected, actual });

/** What is stored in English, and shown in Chinese, is what would be said in Chinese. */
async function requireSame(failuresNow: () => Promise<readonly Failure[]>): Promise<readonly Failure[]> {
  const english = await failuresNow();
  const chinese = await inChinese(failuresNow);
  const shown = await inChinese(() => afterStoring(english));
  assert.deepEqual(shown.map(texts), chinese.map(texts));
  assert.deepEqual(afterStoring(english).map(texts), english.map(texts));
  return shown;
}

describe('what a program wrote', () => {
  const agent = { kind: 'program', command: ['agent'], cwd: '.', timeoutMs: 1000 } as never;

  it("is unchanged in a window of another language: an agent's stderr", () =>
    fc.assert(
      fc.asyncProperty(written, async (stderr) => {
        const exit = { code: 3, endedBy: null, stdout: '', stderr, timedOut: false } as never;
        const ended = { agent, exit, reports: [], abandoned: [], tapePath: 't', recorder, replay: {} as never };
        const [failure] = await requireSame(() => requireSuccess(ended as never).then(() => [], failuresOf));
        const last = recorder.text(stderr.trim()).split('\n').slice(-15).join('\n');
        assert.equal(failure?.fix, last === '' ? '它没有向 stderr 写入任何内容。' : last);
        assert.match(failure?.message ?? '', /\p{Script=Han}/u);
      }),
    ));

  it('is unchanged in a window of another language: output, arguments and results', () =>
    fc.assert(
      fc.asyncProperty(written, written, async (outputText, tool) => {
        const step = { name: tool, arguments: { text: outputText }, result: outputText, isError: true, at: 0 };
        const run = { outputText, toolCallOrder: [tool], modelCalls: [], toolSteps: [step], durationMs: 9 } as never;
        const expectations = [
          { kind: 'contains', expected: `${outputText}!` },
          { kind: 'not_contains', expected: outputText },
          { kind: 'tool_called', expected: `${tool}!` },
          { kind: 'tool_not_called', expected: [tool] },
          { kind: 'tool_args', expected: { tool, arguments: { text: `${outputText}!` } } },
          { kind: 'no_errors', expected: true },
          { kind: 'max_tool_errors', expected: 0 },
        ];
        const shown = await requireSame(async () =>
          expectations.flatMap((one) => assertionFailure(judgeAssertion(one, run), undefined) ?? []),
        );
        assert.equal(shown.length, expectations.length);
      }),
    ));

  it('is unchanged in a window of another language: what a provider says', () =>
    fc.assert(
      fc.asyncProperty(written, written, async (host, reply) => {
        const refused = () =>
          new ProviderError('provider', () => t('{0} refused the request: {1}', host, reply), reply);
        const [failure] = await requireSame(async () => failuresOf(refused()));
        assert.equal(failure?.fix, reply);
      }),
    ));
});

const CASES: Readonly<
  Record<string, { readonly files: Readonly<Record<string, string>>; readonly mode?: RequestedMode }>
> = {
  'a case that cannot be read': { files: { 'cases/a.toml': 'name = 3\nprompt = "p"\n' } },
  'a missing tape': { files: { 'cases/a.toml': 'name = "a"\nprompt = "p"\n[llm]\ntape = "none.tape.json"\n' } },
  'nothing to replay': { files: { 'cases/a.toml': 'name = "a"\nprompt = "p"\n' } },
  'a failed assertion': {
    files: {
      'cases/a.toml':
        'name = "a"\nprompt = "p"\n[llm]\nresponses = ["hi"]\n[assert]\nmatches = "^no$"\nmax_calls = 1\nmax_tokens = 1\n',
    },
  },
  'a script that ends': { files: { 'cases/a.toml': 'name = "a"\nprompt = "p"\n[llm]\nresponses = []\n' } },
  'a broken configuration': {
    files: {
      'cases/a.toml': 'name = "a"\nprompt = "p"\n[llm]\nresponses = ["hi"]\n',
      'tapedeck.toml': 'provider = 3\n',
    },
  },
  'an agent that fails': {
    files: {
      'cases/a.toml': `name = "a"\nprompt = "p"\n[agent]\ncommand = ["node", "-e", "console.error('status: failed'); process.exit(3)"]\n[llm]\ntape = "a.tape.jsonl"\n`,
      'cases/a.tape.jsonl': '',
    },
    mode: 'record',
  },
};

async function run(
  root: string,
  files: Readonly<Record<string, string>>,
  mode: RequestedMode,
  updateBaseline = false,
): Promise<RunResult> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return runCase(join(root, 'cases/a.toml'), {
    ...{ root, mode, signal: new AbortController().signal, permitStart: startedByUser },
    updateBaseline,
    recorders: createRecorders({}),
    network: NetworkPolicy.for(mode, keysOf({})),
  });
}

describe('a stored run', () => {
  for (const [what, { files, mode = 'replay' }] of Object.entries(CASES))
    it(`is shown in the language of the window: ${what}`, () =>
      inFolder(async (root) => {
        const result = await run(root, files, mode);
        assert.notDeepEqual(result.failures, []);
        const text = await readFile(join(root, '.tapedeck/runs/cases/a.result.json'), 'utf8');
        const stored = readRunRecord(text);
        assert.ok(stored);
        for (const { message } of stored.failures) assert.doesNotMatch(message, /\p{Script=Han}/u);

        const shown = await inChinese(() => shownRun(stored));
        for (const { message, fix } of shown.failures) {
          assert.match(message, /\p{Script=Han}/u);
          if (fix !== undefined && fix !== 'status: failed') assert.match(fix, /\p{Script=Han}/u);
        }
        assert.match(shown.compared, /\p{Script=Han}/u);

        // As an earlier version stored it.
        const { said: _, ...old } = stored;
        const plain = { ...old, failures: old.failures.map(({ said: __, ...failure }) => failure) };
        assert.deepEqual(await inChinese(() => shownRun(plain)), plain);
      }));

  it('is shown in the language of the window: a difference from the baseline', () =>
    inFolder(async (root) => {
      const answering = (text: string) => ({
        'cases/a.toml': `name = "a"\nprompt = "p"\n[llm]\nresponses = ["${text}"]\n`,
      });
      await run(root, answering('status: failed'), 'replay', true);
      const { failures } = await run(root, answering('permission denied'), 'replay');
      const [failure] = await inChinese(() => afterStoring(failures));
      assert.equal(failure?.message, '输出 与基线不同');
      assert.equal(failure?.line, '输出: status: failed → permission denied');
      assert.deepEqual([failure?.expected, failure?.actual], ['status: failed', 'permission denied']);
    }));

  it('is shown in the language of the window: a drift', () =>
    inFolder(async (root) => {
      const asking = (prompt: string) => ({
        'cases/a.toml': `name = "a"\nprompt = "${prompt}"\n[llm]\ntape = "../t.tape.json"\n[llm.provider]\nkind = "practice"\n`,
      });
      await run(root, asking('permission denied'), 'record');
      const { failures } = await run(root, asking('permission granted'), 'replay');
      const [failure] = await inChinese(() => afterStoring(failures));
      assert.match(failure?.message ?? '', /\p{Script=Han}/u);
      assert.match(failure?.message ?? '', /permission \[-denied-\]\{\+granted\+\}/);
      assert.doesNotMatch(failure?.message ?? '', /this request|recording/);
      assert.match(failure?.fix ?? '', /\p{Script=Han}/u);
    }));

  it('has no notices in the JSON for other programs', () =>
    inFolder(async (root) => {
      const result = await run(root, CASES['a failed assertion']?.files ?? {}, 'replay');
      assert.match(JSON.stringify(result), /"said"/);
      assert.doesNotMatch(JSON.stringify(runResultJson(result, root)), /"said"/);
      assert.doesNotMatch(await readFile(result.artifactPath ?? '', 'utf8'), /"said"/);
    }));
});
