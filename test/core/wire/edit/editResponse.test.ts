import assert from 'node:assert/strict';
import fc from 'fast-check';
import { gzipSync } from 'fflate';
import { decodeBase64, encodeBase64 } from '../../../../src/core/bytes/base64';
import { recompress } from '../../../../src/core/bytes/recompress';
import type { Json } from '../../../../src/core/json/json';
import type { HttpBody, HttpExchange } from '../../../../src/core/model/http';
import { decodeBody } from '../../../../src/core/wire/body/body';
import { readEventStream } from '../../../../src/core/wire/body/eventStream';
import { editResponseText } from '../../../../src/core/wire/edit/editResponse';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { corpusSuite } from '../../../corpus';
import { base64Body, eventStream, jsonBody, post, sse, textBody } from '../exchanges';
import { extractCorpus } from '../read/extract';

const CHAT = 'https://api.openai.com/v1/chat/completions';
const HELLO: Json = { choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }] };

function edited(exchange: HttpExchange, text: string): HttpBody {
  const edit = editResponseText(exchange, text);
  assert('body' in edit, 'refused' in edit ? edit.refused : '');
  assert.equal(readExchange({ ...exchange, responseBody: edit.body }).response?.content, text);
  return edit.body;
}

function editedText(exchange: HttpExchange, text: string): string {
  const body = edited(exchange, text);
  assert(body.type === 'text');
  return body.text;
}

function chatStream(...pieces: readonly string[]): string {
  return sse(...pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })), '[DONE]');
}

describe('editResponseText', () => {
  it('edits only the string in a JSON body, escaped in the same style', () => {
    const body = '{ "choices":[ {"message" : {"content":"caf\\u00e9", "n": 1.0}} ]}';
    assert.equal(
      editedText(post(CHAT, {}, textBody(body)), 'thé "x"'),
      '{ "choices":[ {"message" : {"content":"th\\u00e9 \\"x\\"", "n": 1.0}} ]}',
    );
  });

  it('edits only the pieces of a stream between the common prefix and suffix', () => {
    const exchange = post(CHAT, {}, textBody(chatStream('', 'The sky', ' is', ' blue', ' today.')));
    assert.equal(editedText(exchange, 'The sky is grey today.'), chatStream('', 'The sky', ' is', ' grey', ' today.'));
    assert.equal(editedText(exchange, 'The sky is blue.'), chatStream('', 'The sky', ' is', ' blue', '.'));
    assert.equal(editedText(exchange, 'No.'), chatStream('', 'No', '', '', '.'));
    assert.equal(editedText(exchange, ''), chatStream('', '', '', '', ''));
  });

  it('keeps the comments, line ends and spaces of a stream', () => {
    const body =
      ': OPENROUTER PROCESSING\r\n\r\ndata:{"choices": [{"delta": {"content": "one"}}]}  \r\n\r\ndata: [DONE]\r\n\r\n';
    assert.equal(editedText(post(CHAT, {}, textBody(body)), 'two'), body.replace('one', 'two'));
  });

  it('edits every place where a stream repeats the text', () => {
    const stream = (...[first, second]: readonly [string, string]): string => {
      const text = first + second;
      const part = { type: 'output_text', text, annotations: [] };
      const item = { id: 'm', type: 'message', role: 'assistant', content: [part] };
      return sse(
        { type: 'response.created', response: { object: 'response', status: 'in_progress', output: [] } },
        { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: first },
        { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: second },
        { type: 'response.output_text.done', output_index: 0, content_index: 0, text },
        { type: 'response.content_part.done', output_index: 0, content_index: 0, part },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { object: 'response', status: 'completed', output: [item] } },
      );
    };
    const exchange = post('https://api.openai.com/v1/responses', {}, textBody(stream('Good ', 'day')));
    assert.equal(editedText(exchange, 'Good night'), stream('Good ', 'night'));
  });

  it('leaves reasoning, tool calls and other choices alone', () => {
    const chunk = (index: number, delta: Json): Json => ({ choices: [{ index, delta }] });
    const call = { index: 0, id: 'c', function: { name: 'f', arguments: '{"a":"same"}' } };
    const stream = (text: string): string =>
      sse(
        chunk(0, { reasoning_content: 'same' }),
        chunk(0, { content: text }),
        chunk(1, { content: 'same' }),
        chunk(0, { tool_calls: [call] }),
      );
    assert.equal(editedText(post(CHAT, {}, textBody(stream('same'))), 'other'), stream('other'));
  });

  it('recomputes the checksums of edited messages in an event stream, and keeps the other messages', () => {
    const stream = (...pieces: readonly string[]): Uint8Array =>
      eventStream(
        ['messageStart', { role: 'assistant' }],
        ...pieces.map((text): [string, Json] => ['contentBlockDelta', { contentBlockIndex: 0, delta: { text } }]),
        ['messageStop', { stopReason: 'end_turn' }],
      );
    const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream';
    const exchange = post(url, { messages: [] }, base64Body(stream('Hel', 'lo')));
    assert.deepEqual(edited(exchange, 'Help'), base64Body(stream('Hel', 'p')));
    const edit = editResponseText(exchange, 'Help');
    assert.deepEqual('dependents' in edit && edit.dependents, ['the checksums of the event stream']);
  });

  it('edits text that an event stream wraps in base64', () => {
    const wrapped = (text: string): [string, Json] => {
      const delta: Json = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
      const bytes = encodeBase64(new TextEncoder().encode(JSON.stringify(delta)));
      return ['chunk', { bytes, p: 'abc' }];
    };
    const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.x/invoke-with-response-stream';
    const exchange = post(
      url,
      { anthropic_version: 'x', messages: [] },
      base64Body(eventStream(wrapped('Hel'), wrapped('lo'))),
    );
    const body = edited(exchange, 'Help');
    assert.deepEqual(body, base64Body(eventStream(wrapped('Hel'), wrapped('p'))));
    assert(body.type === 'base64');
    assert.deepEqual(readEventStream(decodeBase64(body.base64) ?? new Uint8Array()).problems, []);
  });

  it('compresses the body again, with the original header', () => {
    const packed = gzipSync(new TextEncoder().encode(JSON.stringify(HELLO)), { mtime: 86_400_000 });
    const body = edited(post(CHAT, {}, base64Body(packed)), 'Goodbye');
    assert(body.type === 'base64');
    assert.deepEqual(decodeBase64(body.base64)?.subarray(0, 10), packed.subarray(0, 10));
    assert.match(decodeBody(body).text ?? '', /"content":"Goodbye"/);
    const inText = edited(post(CHAT, {}, textBody(encodeBase64(packed))), 'Goodbye');
    assert.equal(inText.type === 'text' && inText.text.startsWith('H4sI'), true);
  });

  it('edits parsed bodies, stored events and network chunks', () => {
    assert.deepEqual(edited(post(CHAT, {}, { type: 'json', json: HELLO }), 'Hi'), {
      type: 'json',
      json: { choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] },
    });
    const pieces = chatStream('Hel', 'lo').match(/.{1,20}/gs) ?? [];
    const network: HttpBody = { type: 'chunks', chunks: pieces.map((data, at) => ({ data, delayMs: at })) };
    const body = edited(post(CHAT, {}, network), 'Help');
    assert(body.type === 'chunks');
    assert.equal(body.chunks.filter(({ data }, index) => data !== pieces[index]).length, 1);
    assert.deepEqual(
      body.chunks.map(({ delayMs }) => delayMs),
      pieces.map((_, at) => at),
    );
  });

  it('edits a stream of plain text with several lines', () => {
    const body = 'event: output\ndata: one\n\nevent: output\ndata: \ndata: two\n\nevent: done\ndata: {}\n\n';
    const url = 'https://stream.replicate.com/v1/streams/abc';
    const after = editedText(post(url, undefined, textBody(body), { method: 'GET' }), 'one\nthree\nfour');
    assert.equal(after, body.replace('data: two', 'data: three\ndata: four'));
  });

  it('explains why a response cannot be edited', () => {
    const refused = (exchange: HttpExchange): string => {
      const edit = editResponseText(exchange, 'x');
      return 'refused' in edit ? edit.refused : '';
    };
    const call = { id: 'c', function: { name: 'f', arguments: '{}' } };
    assert.match(
      refused(post(CHAT, {}, jsonBody({ choices: [{ message: { content: null, tool_calls: [call] } }] }))),
      /no text/,
    );
    assert.match(refused(post(CHAT, {}, jsonBody({ error: { message: 'no' } }), { status: 500 })), /no text/);
    assert.match(refused(post('https://example.com/', undefined, textBody('hello'))), /not a readable model response/);
  });

  it('writes any text, into any pieces', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\n', '"', '\\', '😀😁', '\ud83d'));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), text, (pieces, after) => {
        edited(post(CHAT, {}, textBody(chatStream(...pieces))), after);
        edited(post(CHAT, {}, textBody(chatStream(...pieces))), pieces.join('') + after);
      }),
      { numRuns: 300 },
    );
  });
});

describe('recompress', () => {
  it('writes data that each decompressor reads', () => {
    const text = `${'some text, and more of it. '.repeat(12_000)}end`;
    for (const content of ['', 'a', text]) {
      const bytes = new TextEncoder().encode(content);
      for (const layer of ['gzip', 'zlib', 'zstd', 'br', 'deflate']) {
        const packed = recompress(bytes, [layer], new Uint8Array());
        assert(packed);
        const read = decodeBody(base64Body(packed), [['content-encoding', layer]]);
        // A single byte cannot be recognised as `deflate`.
        if (layer !== 'deflate' || content.length > 1) assert.equal(read.text, content, layer);
      }
      assert.equal(recompress(bytes, ['lzma'], bytes), undefined);
    }
  });
});

corpusSuite('editResponseText over the corpus', (corpus) => {
  it('edits one character of every response that has text, and nothing else', () => {
    let changed = 0;
    for (const { file, index, exchange } of extractCorpus(corpus)) {
      const before = readExchange(exchange).response;
      if (before?.content === null || before?.content === undefined) continue;
      const { content } = before;
      const middle = Math.floor(content.length / 2);
      const text = `${content.slice(0, middle)}§${content.slice(middle + 1)}`;
      const edit = editResponseText(exchange, text);
      assert('body' in edit, `${file} ${index}: ${'refused' in edit ? edit.refused : ''}`);
      const after = readExchange({ ...exchange, responseBody: edit.body }).response;
      const { content: _, parts, chunks, ...others } = before;
      assert.deepEqual(
        { ...others, ...after, content, parts, chunks },
        { ...before, parts, chunks },
        `${file} ${index}`,
      );
      if (content !== '') assert.equal(after?.parts?.length, parts?.length);
      assert.equal(after?.chunks?.length, chunks?.length);
      changed += 1;
    }
    assert(changed > 150, `${changed}`);
  });
});
