import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { buildEngine, ended, inProject, type TestProject } from '../../harness/builtEngine';
import { inWindow } from '../../harness/engineWindow';
import { completion, sendJson, serve } from '../../harness/support';

const AGENT = `const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
  body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: process.argv[2] ?? 'hi' }] }),
});
console.log(response.status, await response.text());
`;
const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';
const TAPE = 'tapes/agent.tape.jsonl';
const COMMAND = ['node', 'agent.mjs'];

/** Runs the agent as a terminal would, with the variables of a session. */
async function runAgent(
  { root }: TestProject,
  variables: Readonly<Record<string, string>>,
  ...args: readonly string[]
) {
  const { PATH = '' } = process.env;
  const child = spawn('node', ['agent.mjs', ...args], { cwd: root, env: { PATH, ...variables }, stdio: 'pipe' });
  return ended(child);
}

function inAgentProject(test: (project: TestProject) => Promise<void>): Promise<void> {
  return inProject({ 'agent.mjs': AGENT, 'tapedeck.toml': '' }, test);
}

describe('proxy sessions of the editor', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('record a program that another process runs, with a key that it never sees, and replay it', async () => {
    await inAgentProject(async (project) => {
      const { root } = project;
      const tape = project.path(TAPE);
      const state = { XDG_STATE_HOME: project.path('../state-of-the-user') };
      const upstream = await serve((response) => sendJson(response, 200, completion('On its way.')));
      await inWindow({ ...state, OPENAI_BASE_URL: upstream.baseUrl }, async ({ peer, events }) => {
        const [target] = await peer.call('sessionTargets', { root, storedKeys: ['OPENAI_API_KEY'] });
        assert.deepEqual([target?.variable, target?.known, target?.isSet], ['OPENAI_API_KEY', true, true]);
        const keys = { OPENAI_API_KEY: KEY };
        const opened = await peer.call('openSession', { root, tape, mode: 'record', keys, command: COMMAND });
        assert.ok(!JSON.stringify(opened.variables).includes(KEY), 'a terminal has no key');
        const { stdout } = await runAgent(project, opened.variables);
        assert.match(stdout, /^200 .*On its way/s);
        assert.equal(upstream.requests[0]?.headers.authorization, `Bearer ${KEY}`);
        assert.deepEqual(events.at(-1), { session: opened.session, requests: 1, recorded: 1 });
        const soFar = await peer.call('sessionTape', { session: opened.session });
        assert.match(soFar, /On its way/);
        assert.ok(!existsSync(tape), 'nothing is saved before the end');
        const closed = await peer.call('closeSession', { session: opened.session, outcome: 'save' });
        assert.deepEqual([closed.requests, closed.saved, closed.misses], [1, 1, 0]);
      });
      const text = await project.read(TAPE);
      assert.ok(text.includes('On its way') && !text.includes(KEY));
      await upstream.close();
      await inWindow(state, async ({ peer }) => {
        const open = () => peer.call('openSession', { root, tape, mode: 'replay', keys: {}, command: COMMAND });
        const { session, variables } = await open();
        assert.match((await runAgent(project, variables)).stdout, /^200 .*On its way/s);
        assert.match((await runAgent(project, variables, 'something else')).stdout, /^400 /);
        const closed = await peer.call('closeSession', { session, outcome: 'discard' });
        assert.deepEqual([closed.requests, closed.misses, closed.saved], [2, 1, undefined]);
        assert.match(closed.notes.join('\n'), /something else/);
      });
    });
  });

  it('say which MCP servers a program starts, of which nothing is on the tape', async () => {
    const starting = `import { spawn } from 'node:child_process';
const server = spawn('cat', ['-'], { stdio: ['pipe', 'pipe', 'inherit'] });
server.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize"}\\n');
await new Promise((done) => server.stdout.once('data', done));
server.stdin.end();
${AGENT}`;
    const upstream = await serve((response) => sendJson(response, 200, completion('fine')));
    try {
      await inProject({ 'agent.mjs': starting, 'tapedeck.toml': '' }, async (project) => {
        const params = { root: project.root, tape: project.path(TAPE), keys: {}, command: COMMAND };
        await inWindow({ OPENAI_BASE_URL: upstream.baseUrl, OPENAI_API_KEY: KEY }, async ({ peer }) => {
          for (const [mode, says] of [
            ['record', /every replay will start them again: cat -\. .*save the recording as a case/],
            ['replay', /The replay started MCP servers .*: cat -\. /],
          ] as const) {
            const { session, variables } = await peer.call('openSession', { ...params, mode });
            await runAgent(project, variables);
            const outcome = mode === 'record' ? 'save' : 'discard';
            const closed = await peer.call('closeSession', { session, outcome });
            assert.match(closed.untaped ?? '', says);
            assert.ok(closed.notes.includes(closed.untaped ?? ''));
          }
        });
      });
    } finally {
      await upstream.close();
    }
  });

  it('send no stored key to a host that it does not belong to', async () => {
    await inAgentProject(async (project) => {
      const { root } = project;
      const upstream = await serve((response) => sendJson(response, 200, completion('Thanks for the key.')));
      await inWindow({}, async ({ peer }) => {
        const params = { root, tape: project.path(TAPE), mode: 'record' as const, command: COMMAND };
        const { session, variables } = await peer.call('openSession', { ...params, keys: { MISTRAL_API_KEY: KEY } });
        const stolen = { ...variables, OPENAI_API_KEY: variables.MISTRAL_API_KEY ?? '' };
        const elsewhere = { ...stolen, OPENAI_BASE_URL: upstream.baseUrl, NO_PROXY: '', no_proxy: '' };
        await runAgent(project, elsewhere);
        for (const { headers } of upstream.requests) assert.notEqual(headers.authorization, `Bearer ${KEY}`);
        assert.match(
          (await runAgent(project, stolen)).stdout,
          /^502 .*MISTRAL_API_KEY would be sent to api\.openai\.com/s,
        );
        await peer.call('closeSession', { session, outcome: 'discard' });
      });
      await upstream.close();
      assert.ok(!existsSync(project.path(TAPE)));
    });
  });

  it('say what a program would need that made no request', async () => {
    await inAgentProject(async ({ root }) => {
      await inWindow({}, async ({ peer }) => {
        const params = { root, tape: `${root}/${TAPE}`, mode: 'record' as const, keys: {}, command: COMMAND };
        const { session } = await peer.call('openSession', params);
        const closed = await peer.call('closeSession', { session, outcome: 'save' });
        assert.equal(closed.requests, 0);
        assert.match(closed.notes.join(), /Node must read NODE_OPTIONS/);
      });
    });
  });
});
