import assert from 'node:assert/strict';
import { strToU8, zipSync } from 'fflate';
import type { Tape } from '../../../../src/core/model/tape';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { decodeTapeFile, tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { readFileAs, readTextAs } from '../readAsFormat';

const event = {
  event: 'model',
  timestamp: '2026-01-01T00:00:00+00:00',
  model: 'openai/gpt-x',
  input: [
    { role: 'system', content: 'attachment://abc' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image', image: 'attachment://img' },
      ],
    },
    {
      role: 'tool',
      content: '',
      tool_call_id: 'c0',
      function: 'bash',
      error: { type: 'timeout', message: 'too slow' },
    },
  ],
  tools: [{ name: 'bash', description: 'tc://abc', parameters: { type: 'object' } }],
  config: { temperature: 0.5, max_tokens: null },
  output: {
    model: 'gpt-x',
    choices: [
      {
        message: {
          role: 'assistant',
          content: [
            { type: 'reasoning', reasoning: 'hm' },
            { type: 'text', text: 'A cat' },
          ],
          tool_calls: [{ id: 'c1', function: 'bash', arguments: { cmd: 'ls' }, type: 'function' }],
        },
        stop_reason: 'tool_calls',
      },
    ],
    usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5, input_tokens_cache_read: 1 },
    time: 1.2345,
  },
};
const sample = {
  id: 1,
  epoch: 2,
  score: 0,
  events: [{ event: 'state' }, event],
  attachments: { abc: 'a long text', img: 'data:image/png;base64,AAAA' },
};
const header = { version: 2, status: 'success', eval: { task: 'cats' } };

function checkSample({ name, version, interactions, problems }: Tape): void {
  assert.deepEqual([name, version, interactions.length, problems], ['cats', '2', 1, []]);
  const [{ request, response, timing, id } = assert.fail()] = interactions;
  assert.deepEqual(
    request?.messages.map(({ role, content, isError }) => [role, content, isError === true]),
    [
      ['system', 'a long text', false],
      ['user', 'Look', false],
      ['tool', 'too slow', true],
    ],
  );
  assert.deepEqual(request?.messages[1]?.parts?.[1], { type: 'image', mime: 'image/png', base64: 'AAAA' });
  assert.deepEqual(request?.params, { temperature: 0.5 });
  assert.equal(request?.tools[0]?.description, 'a long text');
  assert.deepEqual([response?.content, response?.finishReason, id], ['A cat', 'tool_calls', '1_epoch_2']);
  assert.deepEqual(response?.toolCalls[0]?.arguments, { cmd: 'ls' });
  assert.deepEqual(response?.usage, { promptTokens: 3, completionTokens: 2, totalTokens: 5, cachedTokens: 1 });
  assert.equal(timing?.durationMs, 1235);
}

/** A zstd frame of one raw block: as little as the format lets one write. RFC 8878, section 3.1.1. */
function zstd(content: Uint8Array): Uint8Array {
  const size = content.length - 256;
  const block = (content.length << 3) | 1;
  const head = [0x28, 0xb5, 0x2f, 0xfd, 0x60, size & 0xff, size >> 8, block & 0xff, (block >> 8) & 0xff, block >> 16];
  return new Uint8Array([...head, ...content]);
}

/** The zip with another method of compression for one of its files. */
function withMethod(zip: Uint8Array, name: string, method: number): Uint8Array {
  const changed = zip.slice();
  const view = new DataView(changed.buffer);
  const latin1 = Buffer.from(zip).toString('latin1');
  view.setUint16(latin1.indexOf(name) - 30 + 8, method, true);
  view.setUint16(latin1.lastIndexOf(name) - 46 + 10, method, true);
  return changed;
}

describe('the Inspect log format', () => {
  const files = {
    '_journal/start.json': strToU8(JSON.stringify(header)),
    'samples/1_epoch_2.json': strToU8(JSON.stringify(sample).replace('"score":0', '"score":NaN')),
    'header.json': strToU8(JSON.stringify(header)),
  };

  it('is not misled by a name that is neither number nor text', () => {
    const hostile = { ...sample, id: { toString: 1, valueOf: 1 } };
    const { interactions } = readTextAs(JSON.stringify({ ...header, samples: [hostile] }), 'inspect');
    assert.equal(interactions[0]?.id, '2');
  });

  it('reads a zip, deflated or stored, with its references resolved', () => {
    for (const level of [0, 6] as const)
      checkSample(readFileAs(decodeTapeFile('a.eval', zipSync(files, { level })), 'inspect'));
  });

  it('reads entries in zstd', () => {
    const zip = zipSync(
      { 'header.json': files['header.json'], 'samples/1_epoch_2.json': zstd(files['samples/1_epoch_2.json']) },
      { level: 0 },
    );
    checkSample(readFileAs(decodeTapeFile('a.eval', withMethod(zip, 'samples/1_epoch_2.json', 93)), 'inspect'));
  });

  it('reads the older JSON, with places, NaN and a transcript', () => {
    const { events, attachments, ...rest } = sample;
    const old = { ...rest, transcript: { events, content: attachments } };
    const text = JSON.stringify({ ...header, samples: [old] }, null, 2).replace('"score": 0', '"score": NaN');
    const tape = readTextAs(text, 'inspect');
    checkSample(tape);
    const { start = 0, end = 0 } = tape.interactions[0]?.source ?? {};
    assert.equal(JSON.parse(text.slice(start, end)).event, 'model');
  });

  it('finds messages that are kept in a pool', () => {
    const pooled = {
      ...sample,
      events: [
        {
          ...event,
          input: [],
          input_refs: [
            [0, 1],
            [2, 3],
          ],
        },
      ],
      message_pool: event.input,
    };
    const tape = readTextAs(JSON.stringify({ ...header, samples: [pooled] }), 'inspect');
    assert.deepEqual(
      tape.interactions[0]?.request?.messages.map(({ role }) => role),
      ['system', 'tool'],
    );
  });

  it('reads what is there of a zip that was cut off, and says that it was', () => {
    const whole = zipSync(files);
    const tape = readFileAs(decodeTapeFile('a.eval', whole.subarray(0, whole.length - 60)), 'inspect');
    assert.equal(tape.interactions.length, 1);
    assert.match(tape.problems[0]?.message ?? '', /the zip is damaged: its central directory is missing/);
    const torn = readFileAs(decodeTapeFile('a.eval', whole.subarray(0, 300)), 'inspect');
    assert.match(
      torn.problems.map(({ message }) => message).join('\n'),
      /samples\/1_epoch_2\.json in the zip cannot be read/,
    );
  });

  it('leaves other zips and other JSON alone', () => {
    assert.equal(detectFormat(decodeTapeFile('a.docx', zipSync({ 'word/document.xml': strToU8('<x/>') }))), undefined);
    assert.equal(detectFormat(tapeFileFromText('{"version": 2, "status": "ok"}')), undefined);
  });
});
