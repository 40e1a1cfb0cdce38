import assert from 'node:assert/strict';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { httprrFormat } from '../../../../src/core/tapes/formats/httprr/index';
import { decodeTapeFile, encodeTapeFile, tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../../src/core/text/splice';
import { editAnswer, RUNS, readAs } from '../editing';

const bytes = (text: string | Uint8Array): number => Buffer.byteLength(text as string);
const record = (request: string, response: string): string =>
  `${bytes(request)} ${bytes(response)}\n${request}${response}`;
const trace = (...records: string[]): string => `httprr trace v1\n${records.join('')}`;

const REQUEST_BODY = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Grüß mich' }] });
// The scrubber of langchaingo writes its user agent without a carriage return.
const request = (body = REQUEST_BODY): string =>
  `POST https://api.openai.com/v1/chat/completions HTTP/1.1\r\nHost: api.openai.com\r\nUser-Agent: langchaingo-httprr\n` +
  `Content-Length: ${bytes(body)}\r\nContent-Type: application/json\r\n\r\n${body}`;
const answer = (content: string): string =>
  JSON.stringify({
    id: '1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content } }],
  });
const response = (body: string, length = bytes(body)): string =>
  `HTTP/2.0 200 OK\r\nContent-Length: ${length}\r\nContent-Type: application/json\r\nDate: Mon, 18 Aug 2025 13:31:43 GMT\r\n\r\n${body}`;
const chunked = (...chunks: string[]): string =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: application/x-ndjson\r\n\r\n` +
  `${chunks.map((chunk) => `${bytes(chunk).toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;

const ollama = (content: string, done = false): string =>
  `${JSON.stringify({ model: 'gemma3', message: { role: 'assistant', content }, done })}\n`;
const OLLAMA = `POST http://localhost:11434/api/chat HTTP/1.1\r\nHost: localhost\r\n\r\n{"model":"gemma3","messages":[{"role":"user","content":"?"}]}`;
/** Lines that the network has cut. */
const LINES = ollama('Zwei ') + ollama('mal drei') + ollama('', true);
const CUT = [LINES.slice(0, 30), LINES.slice(30, 100), LINES.slice(100)];

describe('the httprr format', () => {
  it('counts bytes, not characters', () => {
    const tape = readAs(
      'httprr',
      trace(
        record(request(), response(answer('Hallo, süße Welt 😀'))),
        record('GET http://a/ HTTP/1.1\r\n\r\n', response('ok')),
      ),
    );
    const [chat, other] = tape.interactions;
    assert.equal(chat?.request?.messages[0]?.content, 'Grüß mich');
    assert.equal(chat?.response?.content, 'Hallo, süße Welt 😀');
    assert.equal(chat?.timing?.recordedAt, '2025-08-18T13:31:43.000Z');
    assert.deepEqual(chat?.http?.requestHeaders[1], ['User-Agent', 'langchaingo-httprr']);
    assert.deepEqual([other?.kind, other?.http?.method, other?.http?.status], ['http', 'GET', 200]);
    assert.deepEqual(readAs('httprr', trace()).interactions, []);
    assert.deepEqual(readAs('httprr', 'httprr trace v1\r\n').interactions, []);
  });

  it('reads files that are not UTF-8, text by text', () => {
    const audio = Uint8Array.of(0xff, 0xfb, 0x90, 0x64);
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n';
    const get = 'GET http://a/x.mp3 HTTP/1.1\r\n\r\n';
    const file = Buffer.concat([
      Buffer.from(`httprr trace v1\n${get.length} ${head.length + audio.length}\n${get}${head}`),
      audio,
      Buffer.from(record(request(), response(answer('süß')))),
    ]);
    const tape = httprrFormat.read(decodeTapeFile('t.httprr', file));
    assert.deepEqual(tape.problems, []);
    assert.deepEqual(tape.interactions[0]?.http?.responseBody, { type: 'base64', base64: '//uQZA==' });
    assert.equal(tape.interactions[1]?.response?.content, 'süß');
    const edited = editAnswer(decodeTapeFile('t.httprr', file), 1, 'sauer 😀');
    assert.equal(edited.tape.problems.length, 0);
  });

  it('reads chunks', () => {
    const [chat] = readAs('httprr', trace(record(OLLAMA, chunked(...CUT)))).interactions;
    assert.equal(chat?.response?.content, 'Zwei mal drei');
    const broken = record(OLLAMA, chunked(LINES).replace('\r\n\r\n', '\r\n\r\nf'));
    const { problems, interactions } = httprrFormat.read(tapeFileFromText(trace(broken)));
    assert.match(problems[0]?.message ?? '', /chunks/);
    assert.equal(interactions.length, 1);
  });

  it('finds the end of a record whose counts are wrong, and can set them right', () => {
    const edited = trace(record(request(), response(answer('Hello'))), record(OLLAMA, chunked(LINES))).replace(
      'Hello',
      'Hello, world',
    );
    const { interactions, problems } = httprrFormat.read(tapeFileFromText(edited));
    assert.deepEqual(
      interactions.map(({ response: said }) => said?.content),
      ['Hello, world', 'Zwei mal drei'],
    );
    assert.equal(problems.length, 1);
    assert.match(problems[0]?.message ?? '', /byte counts of a record are wrong/);
    const fixed = applySplices(edited, httprrFormat.finalise(tapeFileFromText(edited)));
    assert.deepEqual(httprrFormat.read(tapeFileFromText(fixed)).problems, []);
    assert.deepEqual(httprrFormat.finalise(tapeFileFromText(fixed)), []);
  });

  it('says where a trace is corrupt', () => {
    const good = record(request(), response(answer('Hello')));
    const text = trace('rubbish\n', good);
    const [problem, ...others] = httprrFormat.read(tapeFileFromText(text)).problems;
    assert.match(problem?.message ?? '', /^corrupt httprr trace/);
    assert.equal(text[problem?.span.start ?? 0], 'r');
    assert.deepEqual(others, []);
    const cut = httprrFormat.read(tapeFileFromText(trace(good, good.slice(0, 200))));
    assert.equal(cut.interactions.length, 2);
    assert.equal(cut.interactions[0]?.response?.content, 'Hello');
    assert.match(cut.problems[0]?.message ?? '', /wrong/);
  });

  it('gives up where nothing fits', () => {
    const { interactions } = httprrFormat.read(tapeFileFromText(trace('99 99\nGET / HTTP/1.1\n'.repeat(20_000))));
    assert.ok(interactions.length < 100);
  });

  it('names answers that a replay never gives', () => {
    const text = trace(record(request(), response(answer('first'))), record(request(), response(answer('second'))));
    const [problem] = httprrFormat.read(tapeFileFromText(text)).problems;
    assert.equal(problem?.severity, 'warning');
    assert.match(problem?.message ?? '', /record 1 is repeated by record 2/);
  });

  it('changes the answer, its content-length and its count', () => {
    const { text, dependents } = editAnswer(
      tapeFileFromText(trace(record(request(), response(answer('Hello'))))),
      0,
      'Grüße',
    );
    assert.equal(text, trace(record(request(), response(answer('Grüße')))));
    assert.deepEqual(dependents, ['content-length', 'byte counts']);
  });

  it('leaves a content-length that was wrong', () => {
    const { text } = editAnswer(tapeFileFromText(trace(record(request(), response(answer('Hello'), 7)))), 0, 'Hi');
    assert.equal(text, trace(record(request(), response(answer('Hi'), 7))));
  });

  it('changes only the chunks in which something changes', () => {
    const { text } = editAnswer(tapeFileFromText(trace(record(OLLAMA, chunked(...CUT)))), 0, 'Zwei mal dreißig');
    const [first = '', second = '', third = ''] = CUT;
    const place = [second, third].map((chunk) => chunk.replace('drei"', 'dreißig"'));
    assert.equal(text, trace(record(OLLAMA, chunked(first, ...place))));
  });

  it('takes away a chunk of which nothing is left', () => {
    const piece = LINES.indexOf('mal drei');
    const cut = [LINES.slice(0, piece), 'mal drei', LINES.slice(piece + 8)];
    const { text, tape } = editAnswer(tapeFileFromText(trace(record(OLLAMA, chunked(...cut)))), 0, 'Zwei ');
    assert.deepEqual(tape.problems, []);
    assert.ok(!text.includes('mal drei'));
  });

  it('rewrites a gzipped trace with its own header', () => {
    const packed = gzipSync(trace(record(request(), response(answer('Hello')))));
    packed.writeUInt32LE(1_700_000_000, 4);
    const file = decodeTapeFile('t.httprr.gz', packed);
    const { text } = editAnswer(file, 0, 'Hi');
    const written = Buffer.from(encodeTapeFile(file, text));
    assert.deepEqual(written.subarray(4, 10), packed.subarray(4, 10));
    assert.equal(gunzipSync(written).toString(), text);
  });

  it('takes any text, in one piece and in chunks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, inChunks) => {
        const first = inChunks ? record(OLLAMA, chunked(...CUT)) : record(request(), response(answer('Hello')));
        const { tape } = editAnswer(
          tapeFileFromText(trace(first, record('GET / HTTP/1.1\r\n\r\n', response('é')))),
          0,
          text,
        );
        assert.deepEqual(tape.problems, []);
      }),
      RUNS,
    );
  });
});
