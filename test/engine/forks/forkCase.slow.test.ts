import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ForkEdits } from '../../../src/core/forks/forkEdits';
import type { JsonRecord } from '../../../src/core/json/json';
import type { RunResult } from '../../../src/core/model/run';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { reynFormat } from '../../../src/core/tapes/formats/reyn/index';
import { tapedeckFormat } from '../../../src/core/tapes/formats/tapedeck/index';
import { vcrpyFormat } from '../../../src/core/tapes/formats/vcrpy/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { says } from '../../../src/core/text/notice';
import { type RunCaseOptions, runCase } from '../../../src/engine/cases/runCase';
import { startedByUser } from '../../../src/engine/execution/runnableCase';
import { type Fork, forkCase } from '../../../src/engine/forks/forkCase';
import { NetworkPolicy } from '../../../src/engine/network/policy';
import { keysOf } from '../../harness/network';
import { inFolder, NEVER, RECORDERS, requestOf } from '../../harness/support';
import { type AgentKind, PROGRAMS, RefundModel, refundCase } from './refundAgents';

const FORMATS = [
  { format: mofaFormat, file: 't.tape.json', name: 't.fork.tape.json' },
  { format: vcrpyFormat, file: 't.yaml', name: 't.fork.yaml' },
  { format: reynFormat, file: 't.jsonl', name: 't.fork.jsonl' },
  { format: tapedeckFormat, file: 't.tape.jsonl', name: 't.fork.tape.jsonl' },
] as const;
type Format = (typeof FORMATS)[number];

interface Forked {
  readonly root: string;
  readonly fork: Fork;
  readonly original: string;
  readonly text: string;
}

describe('forks', function () {
  this.timeout(60_000);
  let model: RefundModel;
  let baseUrl: string;

  beforeEach(async () => {
    model = new RefundModel();
    baseUrl = await model.start();
  });

  afterEach(() => model.stop());

  const keys = keysOf({ OPENAI_API_KEY: 'k' });

  function run(root: string, mode: 'record' | 'replay', more: Pick<RunCaseOptions, 'model'> = {}): Promise<RunResult> {
    return runCase(join(root, 'refund.toml'), {
      root,
      mode,
      permitStart: startedByUser,
      recorders: RECORDERS,
      signal: NEVER,
      network: NetworkPolicy.for(mode, keys),
      ...more,
    });
  }

  async function recordIn(root: string, kind: AgentKind, { format, file }: Format): Promise<string> {
    if (kind !== 'built-in') await writeFile(join(root, PROGRAMS[kind][0]), PROGRAMS[kind][1]);
    const before = { request: requestOf('hello'), response: { content: 'old', toolCalls: [] } };
    await writeFile(join(root, file), format.serialise('refund', [before]));
    await writeFile(join(root, 'refund.toml'), refundCase(kind, file, baseUrl));
    const recorded = await run(root, 'record');
    assert.deepEqual([recorded.failures, recorded.recording?.interactions], [[], 3]);
    return readFile(join(root, file), 'utf8');
  }

  async function forkIn(root: string, shared: number, edits: ForkEdits): Promise<Fork> {
    model.seen.length = 0;
    return forkCase({
      ...{ root, shared, edits, permitStart: startedByUser, signal: NEVER },
      casePath: join(root, 'refund.toml'),
      recorder: await RECORDERS(),
      network: NetworkPolicy.for('record', keys),
    });
  }

  async function forked(
    [kind, format]: readonly [AgentKind, Format],
    shared: number,
    edits: ForkEdits,
    check: (forked: Forked) => Promise<void>,
  ): Promise<void> {
    await inFolder(async (root) => {
      const original = await recordIn(root, kind, format);
      const fork = await forkIn(root, shared, edits);
      assert.equal(await readFile(join(root, format.file), 'utf8'), original, 'the original is unchanged');
      assert.deepEqual([fork.forkPath, fork.shared, fork.failures], [join(root, format.name), shared, []]);
      assert.equal(model.seen.length, fork.interactions - shared, 'only what is not shared is sent');
      await check({ root, fork, original, text: await readFile(fork.forkPath, 'utf8') });
      assert.deepEqual(
        await readdir(join(root, '.tapedeck')).then((names) => names.filter((name) => name === 'takes')),
        ['takes'],
      );
    });
  }

  /** The bytes of the first interactions. */
  function beginning({ format }: Format, text: string, count: number): string {
    return text.slice(0, format.read(tapeFileFromText(text)).interactions[count - 1]?.source.end);
  }

  const content = (body: Readonly<Record<string, unknown>> | undefined): string => JSON.stringify(body?.messages);

  for (const kind of ['built-in', 'node', 'python'] as const)
    for (const format of FORMATS) {
      const title = `${kind} agent, ${format.format.label}`;
      const of = [kind, format] as const;
      it(`sends an edited tool result in the next request (${title})`, async () => {
        await forked(
          of,
          1,
          { toolResults: { call_lookup: 'order 7 is on its way' } },
          async ({ fork, original, text }) => {
            assert.ok(
              text.startsWith(beginning(format, original, 1)),
              'the first interaction is the same, byte for byte',
            );
            const [next] = model.seen;
            assert.match(content(next?.body), /order 7 is on its way/);
            assert.doesNotMatch(content(next?.body), /was lost/);
            assert.equal(fork.outputText?.trim(), 'gpt-4o was told: order 7 is on its way; refunded 20 euros');
            const { interactions, problems } = format.format.read(tapeFileFromText(text));
            assert.deepEqual([interactions.length, problems.filter(({ severity }) => severity === 'error')], [3, []]);
          },
        );
      });

      it(`sends another model, system prompt and tool list (${title})`, async () => {
        const parameters: JsonRecord = kind === 'built-in' ? {} : { parameters: { type: 'object' } };
        const tools = [{ type: 'function', function: { name: 'refund_order', ...parameters } }];
        await forked(of, 2, { model: 'gpt-4o-mini', system: 'Be brief.', tools }, async ({ original, text }) => {
          assert.ok(text.startsWith(beginning(format, original, 2)), 'the first two are the same, byte for byte');
          const [last, ...more] = model.seen;
          assert.deepEqual([more.length, last?.body.model], [0, 'gpt-4o-mini']);
          assert.match(content(last?.body), /^\[\{"role":"system","content":"Be brief\."/);
          assert.match(JSON.stringify(last?.body.tools), kind === 'built-in' ? /Refunds it\./ : /refund_order/);
          assert.doesNotMatch(JSON.stringify(last?.body.tools), /lookup_order/);
          const recorded = format.format.read(tapeFileFromText(text)).interactions[2];
          assert.match(recorded?.response?.content ?? '', /^gpt-4o-mini was told/);
        });
      });

      it(`gives an edited response to the agent (${title})`, async () => {
        const response = [{ type: 'arguments', call: 0, json: '{"order":8}' }] as const;
        await forked(of, 1, { response }, async ({ text, original, root }) => {
          assert.match(content(model.seen[0]?.body), /\\"order\\": ?8/);
          const { interactions } = format.format.read(tapeFileFromText(text));
          assert.deepEqual(interactions[0]?.response?.toolCalls[0]?.arguments, { order: 8 });
          assert.notEqual(text, original);
          assert.equal(
            await readdir(join(root, '.tapedeck/forks'))
              .catch(() => [])
              .then(({ length }) => length),
            0,
          );
        });
      });
    }

  const tapedeck = FORMATS[3];

  /** The tape of the case, replaced by the fork, replayed by the agent as it is. */
  async function replayed(root: string, kind: AgentKind, file: string, replay: string): Promise<RunResult> {
    await writeFile(join(root, 'refund.toml'), refundCase(kind, file, baseUrl, replay));
    model.seen.length = 0;
    const result = await run(root, 'replay');
    assert.equal(model.seen.length, 0);
    return result;
  }

  for (const kind of ['built-in', 'python'] as const)
    it(`is replayed as its advice says, where another model was asked (${kind} agent)`, async () => {
      await forked([kind, tapedeck], 1, { model: 'gpt-4o-mini' }, async ({ root, fork }) => {
        assert.match(says(fork.replays ?? ''), /^Its requests have the edited model\..* mask = \["\/model"\] under/);
        const plain = await replayed(root, kind, tapedeck.name, '');
        assert.match(plain.failures[0]?.message ?? '', /gpt-4o-mini → gpt-4o/);
        const masked = await replayed(root, kind, tapedeck.name, '[llm.replay]\nmask = ["/model"]\n');
        assert.deepEqual(masked.failures, []);
        assert.match(masked.outputText ?? '', /^gpt-4o-mini was told/);
      });
    });

  it('is replayed in sequence, where a tool result was edited', async () => {
    await forked(['node', tapedeck], 1, { toolResults: { call_lookup: 'gone' } }, async ({ root, fork }) => {
      assert.match(says(fork.replays ?? ''), /set match = "sequence" and on_drift = "warn"/);
      const plain = await replayed(root, 'node', tapedeck.name, '');
      assert.match(plain.failures[0]?.message ?? '', /request 2 drifted/);
      const rule = '[llm.replay]\nmatch = "sequence"\non_drift = "warn"\n';
      assert.deepEqual((await replayed(root, 'node', tapedeck.name, rule)).failures, []);
    });
  });

  const refused = async (kind: AgentKind, edits: ForkEdits, shared: number, says: RegExp): Promise<void> => {
    await inFolder(async (root) => {
      const original = await recordIn(root, kind, tapedeck);
      await assert.rejects(forkIn(root, shared, edits), says);
      assert.equal(await readFile(join(root, tapedeck.file), 'utf8'), original);
      const files = await readdir(root, { recursive: true });
      assert.deepEqual(
        files.filter((name) => /fork|journal.*jsonl/.test(name) && name !== join('.tapedeck', 'forks')),
        [],
      );
    });
  };

  it('leaves nothing where the agent has drifted before the fork, and sends nothing', async () => {
    await inFolder(async (root) => {
      await recordIn(root, 'node', tapedeck);
      const [file, text] = PROGRAMS.node;
      await writeFile(join(root, file), text.replace('Be kind.', 'Be rude.'));
      await assert.rejects(forkIn(root, 2, {}), /request 1/);
      assert.equal(model.seen.length, 0);
      assert.deepEqual(
        (await readdir(root)).filter((name) => name.includes('fork')),
        [],
      );
    });
  });

  it('refuses an edited result that the agent does not send', () =>
    refused('node', { toolResults: { call_other: 'x' } }, 1, /no result of the tool call call_other/));

  it('refuses a fork after the last interaction, unless its response is edited', async () => {
    await refused('built-in', {}, 3, /nothing to record after the last interaction/);
    const response = [{ type: 'response-text', text: 'No.' }] as const;
    await refused('built-in', { response }, 3, /made no request after the fork/);
    await refused('built-in', {}, 4, /has 3 interactions/);
  });

  it('leaves nothing when it is cancelled', async () => {
    await inFolder(async (root) => {
      await recordIn(root, 'node', tapedeck);
      const cancel = new AbortController();
      const fork = forkCase({
        ...{ root, shared: 1, edits: {}, permitStart: startedByUser, signal: cancel.signal },
        casePath: join(root, 'refund.toml'),
        recorder: await RECORDERS(),
        network: NetworkPolicy.for('record', keys),
        onInteraction: (index) => index === 1 && cancel.abort(),
      });
      await assert.rejects(fork);
      assert.deepEqual(
        (await readdir(root)).filter((name) => name.includes('fork')),
        [],
      );
    });
  });

  for (const kind of ['node', 'python'] as const)
    it(`records what was really sent, where an own agent is run with another model (${kind})`, async () => {
      await inFolder(async (root) => {
        await recordIn(root, kind, tapedeck);
        model.seen.length = 0;
        const recorded = await run(root, 'record', { model: 'gpt-4o-mini' });
        assert.deepEqual(recorded.failures, []);
        const { interactions } = tapedeck.format.read(
          tapeFileFromText(await readFile(join(root, tapedeck.file), 'utf8')),
        );
        const mini = ['gpt-4o-mini', 'gpt-4o-mini', 'gpt-4o-mini'];
        assert.deepEqual(
          [model.seen.map(({ body }) => body.model), interactions.map(({ request }) => request?.model)],
          [mini, mini],
        );
      });
    });
});
