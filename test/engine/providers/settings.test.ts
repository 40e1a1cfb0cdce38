import assert from 'node:assert/strict';
import { ProviderError } from '../../../src/engine/errors/runErrors';
import { KeyRing } from '../../../src/engine/network/keyRing';
import { resolveEndpoint } from '../../../src/engine/providers/endpoint';
import { readRetryAfter } from '../../../src/engine/providers/retry';
import { KEY } from '../../harness/liveServer';
import { providerOf } from '../../harness/support';

describe("a live provider's settings", async () => {
  const resolve = (toml: string, env: Record<string, string> = {}) =>
    resolveEndpoint(
      providerOf(toml),
      KeyRing.confirmed(
        (name) => env[name],
        ['OPENAI_API_KEY', 'GROQ'].map((variable) => ({ host: 'api.example.com', variable })),
      ),
    );
  const thrownBy = async (toml: string, env: Record<string, string> = {}): Promise<ProviderError> => {
    try {
      await resolve(toml, env);
    } catch (error) {
      assert.ok(error instanceof ProviderError);
      return error;
    }
    return assert.fail('nothing was thrown');
  };
  const REMOTE = 'kind = "open_ai_compatible"\nbase_url = "https://api.example.com/v1"';

  it("are filled in as MoFA's", async () => {
    const openAi = await resolve(REMOTE, { OPENAI_API_KEY: ` ${KEY}\n` });
    assert.equal(openAi.url.href, 'https://api.example.com/v1/chat/completions');
    assert.deepEqual([openAi.model, openAi.key, openAi.idleTimeoutMs], ['gpt-4o-mini', KEY, 60_000]);
    const ollama = await resolve('kind = "ollama"');
    assert.equal(ollama.url.href, 'http://127.0.0.1:11434/v1/chat/completions');
    assert.deepEqual([ollama.model, ollama.key], ['llama3', undefined]);
    const elsewhere = await resolve('kind = "ollama"', { OLLAMA_BASE_URL: 'http://gpu:1/v1/', OLLAMA_MODEL: 'qwen3' });
    assert.deepEqual([elsewhere.url.href, elsewhere.model], ['http://gpu:1/v1/chat/completions', 'qwen3']);
    assert.equal((await resolve('kind = "ollama"\nmodel = "mine"', { OLLAMA_MODEL: 'qwen3' })).model, 'mine');
  });

  it('want a key, unless the server is on this machine', async () => {
    const missing = await thrownBy(REMOTE);
    assert.equal(missing.message, 'missing environment variable `OPENAI_API_KEY` for llm provider');
    assert.equal(missing.kind, 'provider');
    assert.equal(
      (await thrownBy(`${REMOTE}\napi_key_env = "GROQ"`)).message,
      'missing environment variable `GROQ` for llm provider',
    );
    assert.match((await thrownBy(REMOTE, { OPENAI_API_KEY: '' })).message, /^missing environment variable/);
    for (const host of ['127.0.0.1:1', 'localhost:1']) {
      assert.equal((await resolve(`kind = "open_ai_compatible"\nbase_url = "http://${host}/v1"`)).key, undefined);
    }
  });

  it('refuse a key that cannot be one, without showing it', async () => {
    const error = await thrownBy(REMOTE, { OPENAI_API_KEY: 'my secret\nkey' });
    assert.match(error.message, /`OPENAI_API_KEY` does not contain a valid key/);
    assert.ok(!`${error.message}${error.fix}`.includes('secret'));
  });

  it('refuse an address that is none', async () => {
    assert.match(
      (await thrownBy('kind = "ollama"', { OLLAMA_BASE_URL: 'gpu:11434' })).message,
      /not an http\(s\) address: `gpu:11434`/,
    );
  });

  it('keep a query, take the whole address too, and show nothing secret', async () => {
    const azure = 'kind = "ollama"\nbase_url = "https://user:pass@az.example/openai/v1/?api-version=1&code=secret"';
    const endpoint = await resolve(azure);
    assert.equal(endpoint.url.pathname + endpoint.url.search, '/openai/v1/chat/completions?api-version=1&code=secret');
    assert.equal(endpoint.label, 'ollama https://az.example/openai/v1');
    const full = 'kind = "ollama"\nbase_url = "http://h/v1/chat/completions"';
    assert.equal((await resolve(full)).url.href, 'http://h/v1/chat/completions');
    const legacy = 'kind = "ollama"\nbase_url = "http://h/v1/completions"';
    assert.equal((await resolve(legacy)).url.href, 'http://h/v1/completions');
  });

  it('understand Retry-After in seconds and as a date', () => {
    const now = Date.parse('2026-11-01T12:00:00Z');
    assert.equal(readRetryAfter('2', now), 2000);
    assert.equal(readRetryAfter('0.5', now), 500);
    assert.equal(readRetryAfter('Sun, 01 Nov 2026 12:00:05 GMT', now), 5000);
    for (const useless of [undefined, '', 'soon', '-3', 'Sun, 01 Nov 2020 12:00:05 GMT'])
      assert.equal(readRetryAfter(useless, now), 0);
  });
});
