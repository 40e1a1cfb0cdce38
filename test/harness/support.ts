import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCase } from '../../src/core/cases/toml/readCase';
import type { Case, ProviderSpec } from '../../src/core/model/case';
import type { ChatRequest } from '../../src/core/model/message';
import { ProviderError } from '../../src/engine/errors/runErrors';
import { ReplayProvider } from '../../src/engine/providers/replay';
import { loadTapeForReplay } from '../../src/engine/recording/readTape';
import { Recorder } from '../../src/engine/recording/recorder';

/** Knows shapes, headers and names of secrets, and no values. */
export const RECORDER = new Recorder({ environments: [], keys: {}, patterns: [] });
export const RECORDERS = async (): Promise<Recorder> => RECORDER;

/** A signal that is never aborted. */
export const NEVER = new AbortController().signal;

/** A case, read from TOML as any other. */
export function caseOf(toml: string): Case {
  const { value, problems } = readCase(toml);
  assert.deepEqual(problems, []);
  assert.ok(value);
  return value;
}

/** The provider of a case file, with its defaults. */
export function providerOf(toml: string): ProviderSpec {
  const { provider } = caseOf(`name = "n"\nprompt = "p"\n[llm]\nrecord_tape = "t.json"\n[llm.provider]\n${toml}`).llm;
  assert.ok(provider);
  return provider;
}

/** A request with these words of the user. */
export function requestOf(prompt: string, tools: ChatRequest['tools'] = []): ChatRequest {
  return { messages: [{ role: 'user', content: prompt, toolCalls: [] }], tools, params: {} };
}

/** The provider that replays the tape at a path. */
export async function replayOf(path: string): Promise<ReplayProvider> {
  return new ReplayProvider(await loadTapeForReplay(path), { recorder: RECORDER });
}

export interface TestServer {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly host: string;
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

export interface ReceivedRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (response: ServerResponse, request: ReceivedRequest, count: number) => void;

/** A real HTTP server on a free port. `count` is 1 for the first request. */
export async function serve(handler: Handler): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const received = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
      requests.push(received);
      handler(response, received, requests.length);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `http://${host}/v1`,
    host,
    requests,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A chat completion with this text. */
export function completion(content: string, usage: unknown = undefined): unknown {
  return { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage };
}

/** The `ProviderError` that the promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ProviderError, `not a ProviderError: ${error}`);
  return error;
}

/** Runs the test in a temporary folder of its own. */
export async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tapedeck-test-'));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
