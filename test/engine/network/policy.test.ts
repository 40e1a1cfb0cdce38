import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../../src/engine/errors/userError';
import { readUserState, userStateFile, writeUserState } from '../../../src/engine/files/userState';
import { confirmedTargets, rememberTargets } from '../../../src/engine/network/confirmations';
import { requireNoForeignKey } from '../../../src/engine/network/foreignKeys';
import { Forwarder } from '../../../src/engine/network/forward';
import { hostOf, isLoopback, parseHost } from '../../../src/engine/network/hosts';
import { KeyRing } from '../../../src/engine/network/keyRing';
import { fetchFor } from '../../../src/engine/network/outgoing';
import { NetworkPolicy, OFFLINE } from '../../../src/engine/network/policy';
import { post } from '../../../src/engine/network/post';
import { keysOf } from '../../harness/network';
import { NEVER, sendJson, serve } from '../../harness/support';

const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';

describe('hosts', () => {
  it('are on this machine by their parsed name, and by nothing else', () => {
    for (const address of [
      'http://127.0.0.1:1/v1',
      'http://LOCALHOST',
      'http://[::1]:8',
      'http://2130706433',
      'http://127.1',
    ])
      assert.ok(isLoopback(new URL(address)), address);
    const others = [
      'https://localhost.evil.example',
      'https://evil.example/localhost',
      'https://127.0.0.1.evil.example',
      'https://localhost@evil.example',
      'https://evil.example/?127.0.0.1',
      'https://0.0.0.0',
    ];
    for (const address of others) assert.ok(!isLoopback(new URL(address)), address);
  });

  it('are shown and compared parsed', () => {
    assert.equal(hostOf(new URL('https://api.openai.com@evil.example/v1')), 'evil.example');
    assert.equal(hostOf(new URL('https://api.openai.com:8443/')), 'api.openai.com:8443');
    assert.equal(hostOf(new URL('http://api.openai.com/')), 'http://api.openai.com', 'not encrypted');
    assert.equal(hostOf(new URL('https://аpi.openai.com/')), 'xn--pi-6kc.openai.com', 'a Cyrillic letter');
    assert.equal(hostOf(new URL('http://127.0.0.1:8000/v1')), '127.0.0.1');
    assert.equal(parseHost('https://gateway.example/v1'), 'gateway.example');
    assert.equal(parseHost('gateway.example:8443'), 'gateway.example:8443');
    assert.equal(parseHost('a@b'), undefined);
    assert.equal(parseHost('no host'), undefined);
  });
});

describe('the keys of the user', () => {
  const standing = (variable: string, url: string, env: Record<string, string> = { [variable]: KEY }) =>
    KeyRing.confirmed((name) => env[name], []).standing(variable, new URL(url));

  it('go to the hosts that they belong to', async () => {
    assert.equal(await standing('OPENAI_API_KEY', 'https://api.openai.com/v1'), 'known');
    assert.equal(await standing('GEMINI_API_KEY', 'https://generativelanguage.googleapis.com'), 'known');
    assert.equal(await standing('MISTRAL_API_KEY', 'https://api.mistral.ai'), 'known');
    assert.equal(
      await standing('AWS_BEARER_TOKEN_BEDROCK', 'https://bedrock-runtime.eu-west-1.amazonaws.com'),
      'known',
    );
  });

  it('go nowhere else unless it is confirmed', async () => {
    const others: readonly [string, string][] = [
      ['OPENAI_API_KEY', 'https://api.openai.com@evil.example/v1'],
      ['OPENAI_API_KEY', 'https://api.openai.com.evil.example/v1'],
      ['OPENAI_API_KEY', 'http://api.openai.com/v1'],
      ['OPENAI_API_KEY', 'https://api.openai.com:8443/v1'],
      ['OPENAI_API_KEY', 'https://api.anthropic.com'],
      ['OPENAI_API_KEY', 'http://127.0.0.1:8000/v1'],
      ['MY_GITHUB_TOKEN', 'https://api.openai.com/v1'],
      ['AZURE_OPENAI_API_KEY', 'https://anyone.openai.azure.com'],
    ];
    for (const [variable, url] of others) assert.equal(await standing(variable, url), 'refused', `${variable} ${url}`);
    const keys = KeyRing.confirmed(() => KEY, [{ host: 'gateway.example', variable: 'OPENAI_API_KEY' }]);
    assert.equal(await keys.keyFor('OPENAI_API_KEY', new URL('https://gateway.example/v1')), KEY);
    await assert.rejects(keys.keyFor('OTHER_KEY', new URL('https://gateway.example/v1')), UserError);
    await assert.rejects(keys.keyFor('OPENAI_API_KEY', new URL('https://gateway.example:1/v1')), (error: UserError) => {
      assert.match(error.message, /OPENAI_API_KEY would be sent to gateway\.example:1/);
      assert.match(error.fix ?? '', /--allow-key OPENAI_API_KEY=gateway\.example:1/);
      return !`${error.message}${error.fix}`.includes(KEY);
    });
  });

  it("go to a host that the user's own environment names for them", async () => {
    const env = { AZURE_OPENAI_API_KEY: KEY, AZURE_OPENAI_ENDPOINT: 'https://mine.openai.azure.com/' };
    assert.equal(await standing('AZURE_OPENAI_API_KEY', 'https://mine.openai.azure.com/openai', env), 'known');
    assert.equal(await standing('AZURE_OPENAI_API_KEY', 'https://other.openai.azure.com/openai', env), 'refused');
  });

  it('may be words in place of keys, for servers on this machine', async () => {
    assert.equal(
      await standing('OPENAI_API_KEY', 'http://localhost:1234/v1', { OPENAI_API_KEY: 'lm-studio' }),
      'known',
    );
    assert.equal(await standing('MY_PASSWORD', 'http://localhost:1234/v1', { MY_PASSWORD: 'short' }), 'refused');
    assert.equal(await standing('OPENAI_API_KEY', 'https://evil.example', { OPENAI_API_KEY: 'lm-studio' }), 'refused');
  });

  it('fill the request to an agent only where each may go to its host', async () => {
    const env: Record<string, string> = { AGENT: 'http://agent.example:8000', TOKEN: KEY, PART: 'evil' };
    const confirmed = [{ host: 'http://agent.example:8000', variable: 'TOKEN' }];
    const keys = KeyRing.confirmed((name) => env[name], confirmed);
    const variable = (name: string) => ['$', `{${name}}`].join('');
    const filled = await keys.valuesFor(`${variable('AGENT')}/chat`, [`Bearer ${variable('TOKEN')}`]);
    assert.deepEqual([...filled.keys()], ['AGENT', 'TOKEN']);
    await assert.rejects(
      keys.valuesFor('https://evil.example/', [variable('TOKEN')]),
      /TOKEN would be sent to evil\.example/,
    );
    const spliced = keys.valuesFor(`https://${variable('TOKEN')}.evil.example/`, []);
    await assert.rejects(spliced, (error: UserError) => !error.message.includes(KEY));
    await assert.rejects(keys.valuesFor(`${variable('AGENT')}.evil.example/`, []), UserError);
  });

  it('of an agent are found in its requests', async () => {
    const environment = {
      OPENAI_API_KEY: KEY,
      MY_TOKEN: 'tok-aB3dE5fG7hJ9kL1mN3',
      PLAIN: 'a value of no secret at all',
    };
    const keys = KeyRing.confirmed((name) => environment[name as keyof typeof environment], []);
    const check = (url: string, header: string) =>
      requireNoForeignKey(new URL(url), ['authorization', header], environment, keys);
    await check('https://api.openai.com/v1', `Bearer ${KEY}`);
    await check('https://evil.example/', environment.PLAIN);
    await assert.rejects(check('https://evil.example/', `Bearer ${KEY}`), /OPENAI_API_KEY/);
    const basic = Buffer.from(`user:${KEY}`).toString('base64');
    await assert.rejects(check('https://evil.example/', `Basic ${basic}`), /OPENAI_API_KEY/);
    await assert.rejects(check(`https://evil.example/?k=${environment.MY_TOKEN}`, ''), /MY_TOKEN/);
  });

  it('are remembered by project, for the user alone', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'tapedeck-confirm-'))));
    assert.ok(first && second);
    try {
      const target = { host: 'gateway.example', variable: 'OPENAI_API_KEY' };
      await rememberTargets(first, [target]);
      await rememberTargets(first, [target, { host: 'agent.example' }]);
      assert.deepEqual(await confirmedTargets(first), [target, { host: 'agent.example' }]);
      assert.deepEqual(await confirmedTargets(second), []);
      const many = Array.from({ length: 10 }, (_, index) => ({ host: `h${index}.example` }));
      await Promise.all(many.map((one) => rememberTargets(second, [one])));
      assert.equal((await confirmedTargets(second)).length, 10, 'at once');
      const file = userStateFile('confirmed.json');
      if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.ok(!(await readFile(file, 'utf8')).includes(KEY));
    } finally {
      await Promise.all([first, second].map((path) => rm(path, { recursive: true })));
    }
  });
});

describe('the file of what the user has confirmed', () => {
  it('confirms nothing where it is damaged', async () => {
    const project = await mkdtemp(join(tmpdir(), 'tapedeck-confirm-'));
    const before = await readUserState('confirmed.json');
    try {
      const target = { host: 'gateway.example', variable: 'OPENAI_API_KEY' };
      await writeUserState('confirmed.json', '');
      await rememberTargets(project, [target]);
      const whole = (await readUserState('confirmed.json')) ?? '';
      const damaged = [
        whole.slice(0, -3),
        whole.replace('"confirmed"', '"confirm"'),
        whole.replace('"OPENAI_API_KEY"', '["OPENAI_API_KEY"]'),
        whole.replace('"host"', '"hosts"'),
        JSON.stringify({ version: 1, confirmed: [target] }),
        JSON.stringify({ version: 1, confirmed: { [project]: target } }),
        'null',
      ];
      for (const text of damaged) {
        await writeUserState('confirmed.json', text);
        assert.deepEqual(await confirmedTargets(project), [], text);
      }
      await writeUserState('confirmed.json', whole);
      assert.deepEqual(await confirmedTargets(project), [target]);
    } finally {
      await writeUserState('confirmed.json', before ?? '');
      await rm(project, { recursive: true });
    }
  });
});

describe('the network policy', () => {
  const replay = NetworkPolicy.for('replay', keysOf({ OPENAI_API_KEY: KEY }));

  it('lets no request out that the mode does not allow, whoever makes it', async () => {
    const server = await serve((response) => sendJson(response, 200, {}));
    try {
      const url = new URL(server.baseUrl);
      for (const policy of [OFFLINE, replay, NetworkPolicy.for('record', keysOf({})).narrowedTo('replay')]) {
        const options = { url, headers: {}, body: '', idleTimeoutMs: 1000, signal: NEVER };
        await assert.rejects(post({ policy, ...options }), /nothing is sent in this mode/);
        for (const reason of ['flakestorm-agent', 'langsmith'] as const)
          await assert.rejects(fetchFor(policy, reason)(url), UserError);
        const forward = new Forwarder(policy).forward as (...args: unknown[]) => Promise<unknown>;
        await assert.rejects(async () =>
          forward.call(new Forwarder(policy), { method: 'GET', rawHeaders: [] }, Buffer.alloc(0), url, {}, false),
        );
      }
      await assert.rejects(fetchFor(OFFLINE, 'agent-service')(url), UserError);
      assert.equal(server.requests.length, 0);
    } finally {
      await server.close();
    }
  });

  it('lets a replay call its own agent on this machine, or on a host that the user has confirmed', async () => {
    await replay.admit('agent-service', new URL('http://127.0.0.1:8000/run'));
    await assert.rejects(
      replay.admit('agent-service', new URL('https://localhost.evil.example/run')),
      (error: UserError) => /--allow-host localhost\.evil\.example/.test(error.fix ?? ''),
    );
    const keys = KeyRing.confirmed(() => undefined, [{ host: 'agent.example' }]);
    await NetworkPolicy.for('replay', keys).admit('agent-service', new URL('https://agent.example/run'));
    await assert.rejects(OFFLINE.admit('agent-service', new URL('http://127.0.0.1:8000/run')), UserError);
  });

  it('has a script reach nobody, and narrows only', async () => {
    const record = NetworkPolicy.for('record', keysOf({}));
    assert.equal(record.narrowedTo('scripted'), OFFLINE);
    assert.equal(record.narrowedTo('record'), record);
    assert.equal(OFFLINE.narrowedTo('record'), OFFLINE);
    assert.throws(() => replay.narrowedTo('record').requireRecording('provider', 'x'), UserError);
  });

  it('follows no redirect, which would lead to a host that nobody was asked about', async () => {
    const elsewhere = await serve((response) => sendJson(response, 200, { stolen: true }));
    const server = await serve((response) => response.writeHead(307, { location: elsewhere.baseUrl }).end());
    try {
      const response = await fetchFor(replay, 'agent-service')(server.baseUrl, { method: 'POST', body: 'prompt' });
      assert.equal(response.status, 307);
      assert.equal(elsewhere.requests.length, 0);
    } finally {
      await Promise.all([server.close(), elsewhere.close()]);
    }
  });
});
