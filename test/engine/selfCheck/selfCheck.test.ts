import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { certificates, keys, proxy, sealing } from '../../../src/engine/selfCheck/network';
import { programs } from '../../../src/engine/selfCheck/programs';
import { isSound, selfCheck, selfCheckText } from '../../../src/engine/selfCheck/selfCheck';

const { signal } = new AbortController();

describe('the self-check', () => {
  let folder: string;
  const write = async (path: string, content: string): Promise<string> => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    return file;
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tapedeck-check-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('says the way out of everything that is not fine', async () => {
    await write('cases/a.toml', agentCase('no-such-program'));
    const checked = await selfCheck(folder, signal);
    const without = checked.checks.filter(({ state, fix }) => state !== 'ok' && fix === undefined);
    assert.deepEqual(without, []);
    assert.equal(isSound(checked), false);
    assert.match(
      selfCheckText(checked),
      /\nBROKEN {2}programs of cases +no-such-program is not installed: cases\/a\.toml cannot start it\n +Install no-such-program/,
    );
  });

  it('looks for programs only where a case starts them, and starts none', async () => {
    assert.deepEqual(await programs(folder), []);
    await write('cases/tool.toml', toolCase(['curl-of-nobody', '-s']));
    await write('cases/own.toml', agentCase('./agent.sh'));
    const agent = await write('cases/agent.sh', '#!/bin/sh\ntouch "$0.started"\n');
    chmodSync(agent, 0o755);
    const [found, missing, ...more] = await programs(folder);
    assert.deepEqual(more, []);
    assert.deepEqual(found, { name: 'programs of cases', state: 'ok', says: './agent.sh, which cases here start' });
    // Replays do not call it.
    assert.equal(missing?.state, 'absent');
    assert.match(missing?.says ?? '', /^curl-of-nobody is not installed: recordings of cases\/tool\.toml /);
    await assert.rejects(rm(`${agent}.started`), /ENOENT/);
  });

  it('names the proxy that recordings go through, without its password', () => {
    assert.deepEqual(proxy({}), []);
    assert.deepEqual(proxy({ HTTPS_PROXY: 'http://me:secret@proxy.invalid:3128' }), [
      { name: 'HTTPS_PROXY', state: 'ok', says: 'recordings go through proxy.invalid:3128' },
    ]);
    assert.equal(proxy({ https_proxy: 'proxy.invalid:3128' })[0]?.state, 'ok');
    assert.equal(proxy({ HTTPS_PROXY: 'socks5://proxy.invalid' })[0]?.state, 'broken');
  });

  it('names the keys of the environment and of the editor, and shows none', () => {
    assert.equal(keys({}, []).state, 'absent');
    assert.deepEqual(keys({ OPENAI_API_KEY: 'sk-0123' }, ['OPENAI_API_KEY', 'MY_KEY']), {
      name: 'provider keys',
      state: 'ok',
      says: 'OPENAI_API_KEY, MY_KEY (stored in VS Code)',
    });
  });

  it('reads the files of certificates that the environment names', async () => {
    const states = async (path: string) =>
      (await certificates({ NODE_EXTRA_CA_CERTS: path })).map(({ state, says }) => `${state}: ${says}`);
    assert.deepEqual(await certificates({}), []);
    const validTo = (pem: string) => Date.parse(new X509Certificate(pem).validTo);
    const inTime = [...rootCertificates]
      .sort((a, b) => validTo(b) - validTo(a))
      .slice(0, 2)
      .join('\n');
    assert.deepEqual(await states(await write('two.pem', inTime)), ['ok: 2 certificates']);
    const none = await write('none.pem', 'nothing');
    assert.deepEqual(await states(none), [`broken: ${none} has no certificate in PEM`]);
    assert.deepEqual(await states(`${none}.gone`), [`broken: ${none}.gone does not exist`]);
  });

  it('tries on Linux whether a run can be sealed', async () => {
    const checked = await sealing(signal);
    assert.equal(checked.length, process.platform === 'linux' ? 1 : 0);
    for (const { state, fix } of checked) assert.ok(state === 'ok' || fix !== undefined);
  });
});

const agentCase = (program: string): string =>
  `name = "a"\nprompt = "Hello"\n[agent]\ncommand = ["${program}"]\n[llm]\ntape = "a.tape.jsonl"\n`;

const toolCase = (command: readonly string[]): string =>
  `name = "b"\nprompt = "Hello"\n[[tools]]\nname = "t"\ndescription = "d"\nschema = { type = "object" }\ncommand = ${JSON.stringify(command)}\n[llm]\ntape = "b.tape.json"\n`;
