import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toNode } from '../../src/core/json/jsonNode';
import { createMatcher } from '../../src/core/match/matcher';
import { recordedRequests } from '../../src/core/match/recordings';
import type { RecordedInteraction } from '../../src/core/model/interaction';
import type { TapeFormat } from '../../src/core/tapes/format';
import { reynFormat } from '../../src/core/tapes/formats/reyn/index';
import { readTape } from '../../src/core/tapes/readTape';
import { type TapeFile, tapeFileFromText } from '../../src/core/tapes/tapeFile';
import { applySplices } from '../../src/core/text/splice';
import { readExchange } from '../../src/core/wire/read/readExchange';
import { sendJson, serve, type TestServer } from '../harness/support';
import { Comparison } from './comparison';
import { askPython, pythonOriginals } from './pythonOriginals';
import { changedCall, generateCall, type ReynTestCall, upstreamResponse } from './reyn/calls';
import { Seeded } from './seeded';

const REYN: TapeFormat = reynFormat;
const FIXTURES = 40;
const CALLS = 5;

interface Recorded {
  readonly text: string;
  readonly said: readonly unknown[];
}

describe("beside Reyn's LLMReplay", function () {
  this.timeout(1_800_000);
  const seeded = new Seeded(33);
  let folder = '';
  let upstream: TestServer;
  let ask: <T>(items: readonly object[]) => Promise<T[]>;
  let fixtures: readonly { readonly calls: readonly ReynTestCall[]; readonly recorded: Recorded }[] = [];

  const sent = (call: ReynTestCall) => ({ ...call, extra: { api_base: upstream.baseUrl, api_key: 'none' } });
  const replay = (text: string, calls: readonly ReynTestCall[]) => ({
    do: 'replay',
    path: join(folder, 'replay.jsonl'),
    text,
    calls: calls.map(sent),
  });

  before(async () => {
    const python = await pythonOriginals();
    const script = readFileSync(join(__dirname, 'reyn/ask.py'), 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'tapedeck-reyn-'));
    upstream = await serve((response, { url, body }) => sendJson(response, 200, upstreamResponse(url, body)));
    ask = (items) => askPython(python, script, items, folder);
    const all = Array.from({ length: FIXTURES }, () => Array.from({ length: CALLS }, () => generateCall(seeded)));
    const recorded = await ask<Recorded>(
      all.map((calls) => ({ do: 'record', path: join(folder, 'record.jsonl'), calls: calls.map(sent) })),
    );
    fixtures = all.map((calls, index) => ({ calls, recorded: recorded[index] as Recorded }));
  });
  after(async () => {
    await upstream?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('what it records is read: keys, responses, and nothing is wrong but what Reyn itself cannot read', () => {
    const comparison = new Comparison('recordings');
    for (const { calls, recorded } of fixtures) {
      const { interactions = [] } = readTape(fileOf(recorded.text)) ?? {};
      const byKey = new Map(interactions.map((one) => [one.id, one]));
      for (const [index, call] of calls.entries()) {
        const found = byKey.get(keyOf(call) ?? '');
        comparison.add(
          JSON.stringify(call),
          recorded.said[index],
          call.kind === 'embedding' ? embeddingsOf(recorded.text, found?.id) : spoken(found?.response),
        );
      }
    }
    comparison.end();
  });

  it('what Tapedeck writes, it replays', async () => {
    const comparison = new Comparison('written fixtures');
    const written = fixtures.map(({ calls }) => {
      const completions = calls.filter(({ kind }) => kind === 'completion');
      return { calls: completions, text: reynFormat.serialise('fixture', completions.map(interactionOf)) };
    });
    const replayed = await ask<unknown[]>(written.map(({ text, calls }) => replay(text, calls)));
    for (const [index, { calls }] of written.entries())
      for (const [at, call] of calls.entries())
        comparison.add(
          JSON.stringify(call),
          replayed[index]?.[at],
          spoken(interactionOf(call).response),
          emptyPart(call),
        );
    comparison.end();
  });

  it('an edited fixture replays as edited', async () => {
    const comparison = new Comparison('edits');
    const edits = fixtures.flatMap(({ calls, recorded }, index) =>
      edited(calls, recorded.text, `edited ${index}: "ä"\u2028\n😀`),
    );
    const replayed = await ask<unknown[]>(edits.map(({ text, call }) => replay(text, [call])));
    for (const [index, { said, call }] of edits.entries())
      comparison.add(
        JSON.stringify(call),
        (replayed[index]?.[0] as { content?: unknown })?.content,
        said,
        unreadable(edits[index]?.text ?? '', call),
      );
    comparison.end();
  });

  it('the same calls hit and miss, also with the model as it is sent', async () => {
    const comparison = new Comparison('hits and misses');
    const changed = fixtures.map(({ calls, recorded }) => ({
      text: recorded.text,
      calls: calls.map((call) => changedCall(seeded, call)),
    }));
    const replayed = await ask<unknown[]>(changed.map(({ text, calls }) => replay(text, calls)));
    for (const [index, { text, calls }] of changed.entries())
      for (const [at, call] of calls.entries()) {
        const theirs = replayed[index]?.[at];
        const hit = theirs !== 'missing' && theirs !== 'other environment';
        comparison.add(JSON.stringify(call), hit, isServed(text, call), unreadable(text, call));
      }
    comparison.end();
  });
});

const fileOf = (text: string): TapeFile => tapeFileFromText(text, 'tests/fixtures/llm/a.jsonl');

/** The body that litellm sends for a call. */
function bodyOf(call: ReynTestCall): Record<string, unknown> {
  const { kind: _, model, ...rest } = call;
  return { model: model.replace(/^openai\//, ''), ...rest };
}

function keyOf(call: ReynTestCall): string | undefined {
  const body = toNode(bodyOf(call) as never);
  return reynFormat.requestKey(body, call.kind === 'embedding' ? 'embedding' : 'llm', call.model);
}

function isServed(text: string, call: ReynTestCall): boolean {
  const tape = reynFormat.read(fileOf(text));
  const matcher = createMatcher(recordedRequests(tape, REYN), {
    match: 'keyed',
    masks: [],
    format: REYN,
    repeat: true,
  });
  const path = call.kind === 'embedding' ? '/v1/embeddings' : '/v1/chat/completions';
  const body = new TextEncoder().encode(JSON.stringify(bodyOf(call)));
  const request = {
    method: 'POST',
    url: path,
    headers: [['content-type', 'application/json']] as [string, string][],
    body,
  };
  return 'index' in matcher.take(request);
}

/** Reyn splits lines at U+2028, and cannot read an entry of its own in which one stands. */
function unreadable(text: string, call: ReynTestCall): string | undefined {
  const line = text.split('\n').find((one) => one.includes(`"${keyOf(call)}"`));
  return line?.includes('\u2028') === true
    ? 'an entry with U+2028 is read, and reported: Reyn does not find it'
    : undefined;
}

/** An empty text in a list of texts is not read, so the key of a converted request is another one. */
function emptyPart(call: ReynTestCall): string | undefined {
  const hasOne = JSON.stringify(call).includes('{"type":"text","text":""}');
  return hasOne ? 'an empty part of a message is not converted' : undefined;
}

function spoken(response: RecordedInteraction['response']): unknown {
  const calls = (response?.toolCalls ?? []).map(({ name, argumentsText }) => [name, argumentsText]);
  return { content: response?.content ?? null, calls };
}

/** The call as an interaction of another tape, with the response of the upstream. */
function interactionOf(call: ReynTestCall): RecordedInteraction {
  const body = bodyOf(call);
  const { kind, request, response } = readExchange({
    method: 'POST',
    url: '/v1/chat/completions',
    requestHeaders: [],
    requestBody: { type: 'json', json: body as never },
    responseHeaders: [],
    responseBody: { type: 'json', json: upstreamResponse('/v1/chat/completions', JSON.stringify(body)) as never },
  });
  return { kind, ...(request && { request: { ...request, model: call.model } }), ...(response && { response }) };
}

function embeddingsOf(text: string, key: string | undefined): unknown {
  const lines = text.split('\n').filter((line) => line.includes(`"${key}"`));
  const { response } = JSON.parse(lines.at(-1) ?? '{}') as { response?: { data: { embedding: number[] }[] } };
  return response?.data.map(({ embedding }) => embedding);
}

function edited(calls: readonly ReynTestCall[], text: string, said: string) {
  const file = fileOf(text);
  for (const call of calls) {
    const interaction = reynFormat.read(file).interactions.findIndex(({ id }) => id === keyOf(call));
    if (interaction < 0 || call.kind === 'embedding') continue;
    const outcome = reynFormat.editText(file, { type: 'response-text', interaction, text: said });
    if ('splices' in outcome) return [{ call, said, text: applySplices(text, outcome.splices) }];
  }
  return [];
}
