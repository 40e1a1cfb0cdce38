import assert from 'node:assert/strict';
import { join } from 'node:path';
import { UserError } from '../../../../src/engine/errors/userError';
import type { LaneOutcome } from '../../../../src/engine/proxy/session/laneSessions';
import { proxyIn } from '../../../harness/proxyTakes';
import { completion, inFolder, sendJson, serve } from '../../../harness/support';

describe('the door of the proxy for what is its own', () => {
  it('ends a lane for whoever has the secret, once, and says what it did', async () => {
    const server = await serve((response) => sendJson(response, 200, completion('fine')));
    try {
      await inFolder(async (root) => {
        const ended: (readonly [lane: string, outcome: LaneOutcome, recorded: number])[] = [];
        const proxy = await proxyIn(root, {
          mode: 'record',
          forward: true,
          upstreams: { commandLine: { openai: server.baseUrl } },
          laneTapes: {
            plan: async () => ({ tapePath: join(root, 'x.tape.jsonl'), mode: 'record' }),
            open: async (lane, planned) => ({
              ...planned,
              end: async (outcome, { recorded }) => {
                ended.push([lane, outcome, recorded.length]);
                if (lane === 'bad') throw new UserError('x.tape.jsonl cannot be written');
              },
            }),
          },
        });
        try {
          const ask = async (lane: string): Promise<number> => {
            const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
            const headers = { 'content-type': 'application/json', 'x-test-id': lane };
            return (await fetch(`${proxy.base}/openai/chat/completions`, { method: 'POST', headers, body })).status;
          };
          const end = async (path: string, { method = 'DELETE', base = proxy.base, headers = {} } = {}) => {
            const response = await fetch(`${base}/${path}`, { method, headers });
            return [response.status, await response.text()] as const;
          };
          for (const lane of ['a', 'cart > adds/one', 'bad']) assert.equal(await ask(lane), 200);
          const address = new URL(proxy.base).origin;
          assert.equal((await end('~a?outcome=passed', { base: `${address}/guess` }))[0], 404);
          assert.equal((await end('~a?outcome=passed', { headers: { origin: 'https://evil.example' } }))[0], 403);
          assert.equal((await end('~a?outcome=passed', { method: 'POST' }))[0], 400);
          assert.equal((await end('~a'))[0], 400);
          const one = '{"mode":"record","requests":1,"recorded":1,"verdicts":{"recorded":1},"failures":[],"unused":[]}';
          const none = '{"requests":0,"recorded":0,"verdicts":{},"failures":[],"unused":[]}';
          assert.deepEqual(await end('~a', { method: 'GET' }), [200, one]);
          assert.deepEqual(await end('~b', { method: 'GET' }), [200, none]);
          assert.deepEqual(ended, []);
          assert.deepEqual(await end('~a?outcome=passed'), [200, one]);
          assert.deepEqual(await end('~a?outcome=passed'), [200, none]);
          assert.deepEqual(await end('~cart%20%3E%20adds%2Fone?outcome=failed'), [200, one]);
          const [status, text] = await end('~bad?outcome=passed');
          assert.equal(status, 409);
          assert.match(text, /Tapedeck: x\.tape\.jsonl cannot be written/);
          assert.deepEqual(ended, [
            ['a', 'passed', 1],
            ['cart > adds/one', 'failed', 1],
            ['bad', 'passed', 1],
          ]);
        } finally {
          await proxy.close();
        }
      });
    } finally {
      await server.close();
    }
  });
});
