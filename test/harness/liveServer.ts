import assert from 'node:assert/strict';
import { ProviderError } from '../../src/engine/errors/runErrors';
import { liveCase, Studio } from './studio';
import { type Handler, inFolder, serve, type TestServer } from './support';

export const KEY = 'sk-test-0123456789abcdef';

/** Runs `test` with a server and a studio, and takes both away afterwards. */
export async function against(
  handler: Handler,
  test: (server: TestServer, studio: Studio) => Promise<void>,
): Promise<void> {
  const server = await serve(handler);
  try {
    await inFolder(async (folder) => {
      const studio = new Studio(folder);
      studio.env.OPENAI_API_KEY = KEY;
      await test(server, studio);
    });
  } finally {
    await server.close();
  }
}

/** The error of a recording against the server. The tape it would have replaced is untouched. */
export async function failing(
  handler: Handler,
  check: (error: ProviderError, server: TestServer, studio: Studio) => void,
  more = '',
) {
  await against(handler, async (server, studio) => {
    const { error, outputText } = await studio.untouched(() => studio.record(liveCase(server.baseUrl, more)));
    assert.ok(error instanceof ProviderError, `${error}`);
    assert.equal(outputText, null);
    assert.ok(!`${error.message} ${error.fix} ${studio.notices}`.includes(KEY), 'the key is in no text');
    check(error, server, studio);
  });
}

export const sse = { 'content-type': 'text/event-stream' };
export const frame = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
export const part = (content: string) => frame({ choices: [{ index: 0, delta: { content } }] });
export const STREAM = 'stream = true';
