import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import type { engine } from '../../../src/contracts/engine/engine';
import type { OpenedSession } from '../../../src/contracts/engine/proxySessions';
import type { HeldEvent } from '../../../src/contracts/engine/sessionEvents';
import type { HeldRelease, HeldRequest } from '../../../src/contracts/holds';
import { buildEngine, ended, inProject, type TestProject } from '../../harness/builtEngine';
import type { NamedCaller } from '../../harness/contractEnds';
import { inWindow } from '../../harness/engineWindow';
import { completion, sendJson, serve, type TestServer } from '../../harness/support';

/** Sends each body of its arguments, `PATH BODY` in turn, and prints each status with the text that came. */
const AGENT = `const [, , ...args] = process.argv;
for (let at = 0; at < args.length; at += 2) {
  const isAnthropic = args[at].includes('/messages');
  const base = isAnthropic ? process.env.ANTHROPIC_BASE_URL : process.env.OPENAI_BASE_URL;
  const response = await fetch(base + args[at], {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY' },
    body: args[at + 1],
  });
  console.log(response.status, await response.text());
}
`;
const TAPE = 'tapes/agent.tape.jsonl';
const CHAT = '/chat/completions';
const MESSAGES = '/v1/messages';
const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';

function ask(content: string, more: object = {}): string {
  return JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...more });
}

const ORDER = ask('Where is order 4711?');
const THANKS = ask('Thank you.');
const STREAMED = ask('Say it slowly.', { stream: true });
const ANTHROPIC = ask('Stream it.', { max_tokens: 10, stream: true });

const OPENAI_STREAM = [
  ...['On ', 'its ', 'way.'].map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
].map((event) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...event })}\n\n`);
const ANTHROPIC_STREAM = [
  {
    type: 'message_start',
    message: { id: 'msg', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Drop ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'by drop.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

function models(): Promise<TestServer> {
  return serve((response, { url, body }) => {
    if (!body.includes('"stream":true')) return sendJson(response, 200, completion('On its way.'));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of url.includes('/messages') ? ANTHROPIC_STREAM : [...OPENAI_STREAM, 'data: [DONE]\n\n'])
      response.write(piece);
    response.end();
  });
}

type Peer = NamedCaller<typeof engine>;

/** A session, and what it holds. */
class Session {
  readonly #waiting: ((held: readonly HeldRequest[]) => void)[] = [];
  #held: readonly HeldRequest[] = [];
  readonly children: ChildProcess[] = [];

  constructor(
    readonly project: TestProject,
    readonly peer: Peer,
    readonly opened: OpenedSession,
  ) {
    peer.on('held', ({ session, held }: HeldEvent) => {
      if (session !== opened.session) return;
      this.#held = held;
      for (const tell of this.#waiting.splice(0)) tell(held);
    });
  }

  get held(): readonly HeldRequest[] {
    return this.#held;
  }

  /** What is held as soon as `count` requests are. */
  async holding(count: number): Promise<readonly HeldRequest[]> {
    while (this.#held.length !== count) await new Promise<void>((resolve) => void this.#waiting.push(() => resolve()));
    return this.#held;
  }

  async first(): Promise<HeldRequest> {
    const [held] = await this.holding(1);
    assert.ok(held);
    return held;
  }

  set(interactions: readonly number[], next = false): Promise<void> {
    return this.peer.call('setHolds', { session: this.opened.session, interactions, next });
  }

  async release(release: HeldRelease): Promise<void> {
    const { id } = await this.first();
    await this.peer.call('releaseHeld', { session: this.opened.session, held: id, release });
  }

  run(...args: readonly string[]): { readonly child: ChildProcess; readonly end: ReturnType<typeof ended> } {
    const { PATH = '' } = process.env;
    const env = { PATH, ...this.opened.variables };
    const child = spawn('node', ['agent.mjs', ...args], { cwd: this.project.root, env, stdio: 'pipe' });
    this.children.push(child);
    return { child, end: ended(child) };
  }

  close(outcome: 'save' | 'discard' = 'discard') {
    return this.peer.call('closeSession', { session: this.opened.session, outcome });
  }
}

async function open(project: TestProject, peer: Peer, mode: 'record' | 'replay'): Promise<Session> {
  const params = { root: project.root, tape: project.path(TAPE), mode, keys: {}, command: ['node', 'agent.mjs'] };
  return new Session(project, peer, await peer.call('openSession', params));
}

describe('held requests', function () {
  this.timeout(60_000);
  before(buildEngine);

  async function inSession(
    mode: 'record' | 'replay',
    test: (session: Session, upstream: TestServer) => Promise<void>,
  ): Promise<void> {
    await inProject({ 'agent.mjs': AGENT, 'tapedeck.toml': '' }, async (project) => {
      const upstream = await models();
      const address = upstream.baseUrl.replace('/v1', '');
      const env = {
        XDG_STATE_HOME: project.path('../state-of-the-user'),
        OPENAI_BASE_URL: upstream.baseUrl,
        ANTHROPIC_BASE_URL: address,
      };
      await inWindow(env, async ({ peer }) => {
        const recording = await open(project, peer, 'record');
        await recording.run(CHAT, ORDER, CHAT, THANKS, CHAT, STREAMED, MESSAGES, ANTHROPIC).end;
        assert.equal((await recording.close('save')).saved, 4);
        const session = await open(project, peer, mode);
        await test(session, upstream);
        for (const child of session.children) child.kill('SIGKILL');
      });
      await upstream.close();
    });
  }

  it('wait where they are paired with an interaction, while others go on', async () => {
    await inSession('replay', async (session) => {
      await session.set([1]);
      const { end } = session.run(CHAT, THANKS);
      const held = await session.first();
      assert.deepEqual([held.interaction, held.stage, held.continues, held.diff], [1, 'request', 'served', []]);
      assert.equal(held.to, 'POST /v1/chat/completions');
      assert.equal(held.headline, 'The request is as recorded in interaction 2.');
      assert.equal(held.response?.fields.text, 'On its way.');
      assert.match((await session.run(CHAT, ORDER).end).stdout, /^200 .*On its way/);
      assert.equal(session.held.length, 1);
      await session.release({ type: 'continue' });
      assert.match((await end).stdout, /^200 .*On its way/);
      await session.holding(0);
      assert.equal((await session.close()).tally, '2 exact');
    });
  });

  it('show how a drifted one differs from its nearest recording, and are refused where the user continues', async () => {
    await inSession('replay', async (session) => {
      await session.set([0]);
      const { end } = session.run(CHAT, ask(`Where is order 4712? ${KEY}`));
      const held = await session.first();
      assert.deepEqual([held.interaction, held.continues], [0, 'refused']);
      assert.match(held.headline, /differs from interaction 1/);
      const added = held.diff.flatMap((piece) => (piece.type === 'added' ? [piece.text] : [])).join('');
      assert.match(added, /4712/);
      assert.ok(!JSON.stringify(held).includes(KEY), 'no secret is shown');
      await session.release({ type: 'continue' });
      assert.match((await end).stdout, /^400 .*4712/s);
      assert.equal((await session.close()).misses, 1);
    });
  });

  it('step from one to the next', async () => {
    await inSession('replay', async (session) => {
      await session.set([], true);
      const { end } = session.run(CHAT, ORDER, CHAT, THANKS, CHAT, STREAMED);
      assert.equal((await session.first()).interaction, 0);
      await session.release({ type: 'step' });
      await session.holding(0);
      assert.equal((await session.first()).interaction, 1);
      await session.release({ type: 'continue' });
      assert.equal((await end).stdout.match(/^200/gm)?.length, 3);
    });
  });

  it('get an edited response in place of the recorded one, which stays as it is', async () => {
    await inSession('replay', async (session) => {
      const before = await session.project.read(TAPE);
      await session.set([0, 1]);
      const edits = [{ type: 'response-text' as const, interaction: 0, text: 'It was lost.' }];
      const drifted = session.run(CHAT, ask('Where is order 4712?'));
      await session.release({ type: 'respond', edits });
      assert.match((await drifted.end).stdout, /^200 .*"It was lost\."/);
      const whole = session.run(CHAT, THANKS);
      await session.release({
        type: 'respond',
        body: '{"error":{"message":"Too many"}}',
        edits: [{ type: 'status', interaction: 1, status: 429 }],
      });
      assert.match((await whole.end).stdout, /^429 \{"error":\{"message":"Too many"\}\}$/m);
      assert.equal(await session.project.read(TAPE), before);
      assert.match((await session.close()).notes.join('\n'), /edited while it was held/);
    });
  });

  it('get edited streams in the form of their protocol', async () => {
    await inSession('replay', async (session) => {
      await session.set([2, 3]);
      for (const [path, body, text] of [
        [CHAT, STREAMED, 'It is lost.'],
        [MESSAGES, ANTHROPIC, 'All at once.'],
      ] as const) {
        const { end } = session.run(path, body);
        const { response } = await session.first();
        assert.equal(response?.body, undefined);
        await session.release({ type: 'respond', edits: [{ type: 'response-text', interaction: 0, text }] });
        const { stdout } = await end;
        const streamed = [...stdout.matchAll(/^(?:200 )?data: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json));
        const pieces = streamed.map((event) => event.choices?.[0]?.delta?.content ?? event.delta?.text ?? '');
        assert.equal(pieces.join(''), text);
        await session.holding(0);
      }
    });
  });

  it('are given up by a client that goes away, whose next try is paired again', async () => {
    await inSession('replay', async (session) => {
      await session.set([0]);
      const { child } = session.run(CHAT, ORDER);
      await session.first();
      child.kill('SIGKILL');
      await session.holding(0);
      await session.set([]);
      assert.match((await session.run(CHAT, ORDER).end).stdout, /^200 .*On its way/);
      assert.equal((await session.close()).tally, '1 unreachable, 1 exact');
    });
  });

  it('are refused when they are stopped, when their session closes, and are gone with it', async () => {
    await inSession('replay', async (session) => {
      await session.set([0, 1]);
      const stopped = session.run(CHAT, ORDER);
      await session.release({ type: 'stop' });
      assert.match((await stopped.end).stdout, /^400 .*tapedeck_stopped/);
      const open = session.run(CHAT, THANKS);
      const { id } = await session.first();
      await session.close();
      const { code, stdout } = await open.end;
      assert.ok(code !== 0 || /^503/.test(stdout), stdout);
      const release = { session: session.opened.session, held: id, release: { type: 'continue' as const } };
      await assert.rejects(session.peer.call('releaseHeld', release));
    });
  });

  it('of a recording wait before they are sent, beside the last take, and what the agent got is recorded', async () => {
    await inSession('record', async (session, upstream) => {
      const before = upstream.requests.length;
      await session.set([0]);
      const { end } = session.run(CHAT, ask(`Where is order 4712? ${KEY}`), CHAT, THANKS);
      const held = await session.first();
      assert.deepEqual([held.mode, held.stage, held.continues, held.response], ['record', 'request', 'sent', null]);
      assert.ok(held.diff.some((piece) => piece.type === 'added' && piece.text.includes('4712')));
      assert.ok(!JSON.stringify(held).includes(KEY));
      assert.equal(upstream.requests.length, before, 'nothing is sent yet');
      await session.release({ type: 'ask' });
      await session.holding(0);
      const response = await session.first();
      assert.deepEqual([response.stage, response.response?.fields.text], ['response', 'On its way.']);
      await session.release({
        type: 'respond',
        edits: [{ type: 'response-text', interaction: 0, text: 'It was lost.' }],
      });
      assert.match((await end).stdout, /^200 .*It was lost.*^200 .*On its way/ms);
      const closed = await session.close('save');
      assert.match(closed.notes.join('\n'), /edited while it was held/);
      const text = await session.project.read(TAPE);
      assert.ok(text.includes('It was lost.') && !text.includes(KEY));
    });
  });
});
