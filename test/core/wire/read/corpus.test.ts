import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRecord, asString } from '../../../../src/core/json/fields';
import type { Json } from '../../../../src/core/json/json';
import { parseJson } from '../../../../src/core/json/readJson';
import type { HttpExchange } from '../../../../src/core/model/http';
import { decodeBody } from '../../../../src/core/wire/body/body';
import { readEventStream, writeEventStream } from '../../../../src/core/wire/body/eventStream';
import type { ExchangeReading } from '../../../../src/core/wire/read/readExchange';
import { readExchange, readResponseFrames, readResponseJson } from '../../../../src/core/wire/read/readExchange';
import { corpusSuite } from '../../../corpus';
import { type Extracted, extractCorpus, filesUnder } from './extract';

/** The counts of one protocol in one format. */
interface Row {
  exchanges: number;
  requests: number;
  text: number;
  calls: number;
  errors: number;
  supported: number;
}

/** Model calls whose request or response is recorded elsewhere. */
const RECORDED_ELSEWHERE: readonly (readonly [url: RegExp, reason: string])[] = [
  [/\/threads\/[^/]+\/runs/, 'the request is a message of the thread, sent earlier'],
  [/\/responses\/resp_[^/]+$/, 'the response is fetched again; its request is the one that started it'],
  [/\/predictions$/, 'the response is fetched separately, from the stream that this one names'],
  [/\/\/streaming-api\.[^/]*replicate/, 'the request is in the exchange that started this stream'],
];

class Table {
  readonly #rows = new Map<string, Row>();
  readonly missing: string[] = [];
  calls = 0;
  supported = 0;

  add(format: string, reading: ExchangeReading, hasRequest: boolean, place: string, url = ''): void {
    const { kind, api, request, response } = reading;
    const row = this.#row(`${format.padEnd(28)} ${api ?? kind}`);
    const isRequestRead = !hasRequest || (request?.messages.length ?? 0) > 0;
    const isResponseRead = hasResponse(reading);
    row.exchanges += 1;
    row.requests += request && request.messages.length > 0 ? 1 : 0;
    row.text += response?.content ? 1 : 0;
    row.calls += (response?.toolCalls.length ?? 0) > 0 ? 1 : 0;
    row.errors += response?.error === undefined ? 0 : 1;
    row.supported += isResponseRead && isRequestRead ? 1 : 0;
    if (kind === 'http') return;
    this.calls += 1;
    this.supported += isResponseRead && isRequestRead ? 1 : 0;
    if (isResponseRead && isRequestRead) return;
    const reason = RECORDED_ELSEWHERE.find(([pattern]) => pattern.test(url))?.[1] ?? 'NO REASON IS KNOWN';
    this.missing.push(`${isRequestRead ? 'response' : 'request'} of ${place}: ${reason}`);
  }

  print(): void {
    const line = (name: string, cells: readonly unknown[]) =>
      console.log(name.padEnd(50) + cells.map((cell) => `${cell}`.padStart(11)).join(''));
    line('', ['exchanges', 'requests', 'text', 'calls', 'errors', 'supported']);
    for (const [name, row] of [...this.#rows].sort()) line(name, Object.values(row));
    console.log(`${this.supported} of ${this.calls} calls of a model are supported, request and response`);
    for (const one of this.missing) console.log(`  no ${one}`);
  }

  #row(name: string): Row {
    const row = this.#rows.get(name) ?? { exchanges: 0, requests: 0, text: 0, calls: 0, errors: 0, supported: 0 };
    this.#rows.set(name, row);
    return row;
  }
}

function hasResponse({ response }: ExchangeReading): boolean {
  if (response === undefined) return false;
  const known = (response.parts ?? []).some(({ type }) => type !== 'unknown');
  const refused = response.finishReason === 'refusal';
  return Boolean(response.content) || response.toolCalls.length > 0 || response.error !== undefined || known || refused;
}

corpusSuite('the wire protocols of the corpus', (corpus) => {
  let exchanges: readonly Extracted[];

  before(() => {
    exchanges = [...extractCorpus(corpus)];
  });

  it('are supported: at least 97 of 100 calls, request and response', () => {
    const table = new Table();
    for (const { format, file, index, exchange } of exchanges)
      table.add(format, readExchange(exchange), true, `${file}#${index}`, exchange.url.replace(/\?.*/, ''));
    for (const { format, place, reading } of responsesOnly(corpus)) table.add(format, reading, false, place);
    table.print();
    assert.ok(exchanges.length > 500);
    assert.ok(table.supported / table.calls >= 0.97, `${table.supported} of ${table.calls}`);
    assert.ok(
      table.missing.every((line) => !line.includes('NO REASON IS KNOWN')),
      table.missing.join('\n'),
    );
  });

  it('have no body that cannot be decoded, and no unsupported response', () => {
    const problems = exchanges.flatMap(({ file, index, exchange }) =>
      readExchange(exchange).problems.map((problem) => `${file}#${index}: ${problem}`),
    );
    assert.deepEqual(problems, []);
  });

  it('detect every model call: plain traffic has no URL of one', () => {
    const paths =
      /\/(chat\/completions|responses|messages|completions|converse|converse-stream|invoke|embeddings|embed|interactions|generate|chat)$|:(stream)?(generate|embed)content$|:(stream)?rawpredict$/i;
    const lost = exchanges.filter(({ exchange }) => {
      const path = exchange.url.replace(/[?#].*/, '');
      const posted = exchange.method.toUpperCase() === 'POST' && !path.includes('/threads/');
      return posted && paths.test(path) && readExchange(exchange).kind === 'http';
    });
    assert.deepEqual(
      lost.map(({ file, index }) => `${file}#${index}`),
      [],
    );
  });

  it('read the totals that providers report', () => {
    let counted = 0;
    for (const { file, index, exchange } of exchanges) {
      const total = reportedTotal(exchange);
      if (total === undefined) continue;
      const { response, kind } = readExchange(exchange);
      if (kind === 'http') continue;
      counted += 1;
      assert.equal(response?.usage?.totalTokens, total, `${file}#${index}`);
    }
    assert.ok(counted > 100, `${counted}`);
  });

  it('write event streams exactly as they were read', () => {
    let streams = 0;
    for (const { exchange } of exchanges) {
      const isStream = exchange.responseHeaders.some(([, value]) => value === 'application/vnd.amazon.eventstream');
      if (!isStream) continue;
      const { bytes } = decodeBody(exchange.responseBody, exchange.responseHeaders);
      const { messages, problems } = readEventStream(bytes);
      assert.deepEqual(problems, []);
      assert.ok(Buffer.from(writeEventStream(messages)).equals(bytes));
      streams += 1;
    }
    assert.ok(streams >= 4, `${streams}`);
  });
});

/** The total that an unstreamed response reports. */
function reportedTotal({ responseBody, responseHeaders, status }: HttpExchange): number | undefined {
  const response = status === 200 ? asRecord(decodeBody(responseBody, responseHeaders).json) : {};
  const total =
    asRecord(response.usage).total_tokens ??
    asRecord(response.usage).totalTokens ??
    asRecord(response.usageMetadata).totalTokenCount;
  return typeof total === 'number' ? total : undefined;
}

interface ResponseOnly {
  readonly format: string;
  readonly place: string;
  readonly reading: ExchangeReading;
}

/** Recordings of responses only. */
function* responsesOnly(corpus: string): Generator<ResponseOnly> {
  for (const path of filesUnder(join(corpus, 'vercel-ai-fixtures'))) {
    const text = readFileSync(path, 'utf8');
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const reading = path.endsWith('.json') ? readResponseJson(parseJson(text) ?? null) : readResponseFrames(lines);
    yield { format: 'vercel-ai-fixtures', place: path, reading };
  }
  for (const path of filesUnder(join(corpus, 'gemini-cli-responses-jsonl')))
    for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
      const { method, response } = asRecord(parseJson(line)) as Record<string, Json>;
      const reading = readResponseJson(response ?? null);
      if (asString(method) !== 'countTokens') yield { format: 'gemini-cli-responses-jsonl', place: path, reading };
    }
}
