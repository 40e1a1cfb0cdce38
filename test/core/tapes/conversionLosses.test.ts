import assert from 'node:assert/strict';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import { convertTape } from '../../../src/core/tapes/convert';
import { findFormat, formatById, formats } from '../../../src/core/tapes/registry';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { isWritable, type WritableFormat } from '../../../src/core/tapes/writableFormat';

const WRITABLE = formats.filter(isWritable);
const ODD = '{"rate":3.0,"zero":-0.0,"list":[1.0,2],"big":12345678901234567890,"small":1e-7,"ä":"ö"}';

function writable(id: string): WritableFormat {
  const format = formatById(id);
  assert.ok(isWritable(format), id);
  return format;
}

/** A call of a model with a tool's call, as OpenAI sends it, in a HTTP archive. */
const CHAT = JSON.stringify({
  log: {
    version: '1.2',
    creator: { name: 'x', version: '1' },
    entries: [
      {
        startedDateTime: '2026-01-01T00:00:00.000Z',
        time: 5,
        request: {
          method: 'POST',
          url: 'https://api.openai.com/v1/chat/completions',
          headers: [{ name: 'content-type', value: 'application/json' }],
          postData: {
            mimeType: 'application/json',
            text: '{"model":"m","temperature":1.0,"messages":[{"role":"user","content":"Hi"}]}',
          },
        },
        response: {
          status: 200,
          headers: [{ name: 'content-type', value: 'application/json' }],
          content: {
            mimeType: 'application/json',
            text: JSON.stringify({
              object: 'chat.completion',
              model: 'm',
              choices: [
                {
                  index: 0,
                  finish_reason: 'tool_calls',
                  message: {
                    role: 'assistant',
                    content: 'Let me see',
                    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: ODD } }],
                  },
                },
              ],
            }),
          },
        },
      },
    ],
  },
});

const cassette = (body: string): string =>
  `{"meta":{"schema_version":1,"checkagent_version":"","recorded_at":"","content_hash":"","test_id":"t"},"interactions":[{"id":"","sequence":0,"request":{"kind":"tool","method":"f","model":null,"body":${ODD}},"response":{"status":"ok","body":${body},"prompt_tokens":null,"completion_tokens":null,"duration_ms":null},"metadata":{}}]}`;

/** JSON without its white space. */
const compact = (text: string): string => text.replace(/(?<=[{[,:\]}])\s+|\s+(?=[\]}])/g, '');

describe('a conversion', () => {
  for (const target of WRITABLE) {
    it(`to ${target.id} keeps the numbers of arguments as they were written, or tells that it drops them`, () => {
      const tape = formatById('har').read(tapeFileFromText(CHAT, 'a.har'));
      const { text, losses, kept } = convertTape(tape, 'n', target);
      // What a format has no place for is counted as a whole.
      if (kept === 0) return;
      const written = target.read(tapeFileFromText(text)).interactions[0]?.response;
      const [call] = written?.toolCalls ?? [];
      if (call === undefined)
        assert.ok(
          losses.some(({ field }) => field === 'response.toolCalls'),
          JSON.stringify(losses),
        );
      else
        assert.ok(
          /3\.0/.test(text) && /1\.0/.test(text) && /-0\.0/.test(text) && /12345678901234567890/.test(text),
          text,
        );
      if (written?.content !== 'Let me see') assert.ok(losses.some(({ field }) => field === 'response.content'));
    });
  }

  for (const target of ['tapedeck', 'flakestorm', 'mofa-scenario'])
    for (const body of ['{"ä":"ö"}', '3.0', '[1.0,2]', '"3.0"', '"{}"', 'true', ODD])
      it(`of a tool's result ${body} to ${target} and back keeps it, or tells what it loses`, () => {
        const source = writable('checkagent');
        const before = source.read(tapeFileFromText(cassette(body)));
        const there = convertTape(
          before,
          't',
          writable(target),
          source.unmappedFields?.(tapeFileFromText(cassette(body))),
        );
        if (there.kept === 0) return;
        const back = convertTape(writable(target).read(tapeFileFromText(there.text)), 't', source).text;
        if (!there.losses.some(({ field }) => field.startsWith('response')))
          assert.ok(compact(back).includes(`"body":${body}`), back);
        if (target === 'tapedeck') assert.ok(compact(back).includes(`"body":${ODD}`), back);
      });

  it('to itself changes nothing of a recording', () => {
    const recorded: readonly RecordedInteraction[] = [
      {
        kind: 'tool',
        request: {
          messages: [{ role: 'assistant', content: null, toolCalls: [{ id: '', name: 'f', arguments: {} }] }],
          tools: [],
          params: {},
        },
        response: { content: '3.0', isJson: true, toolCalls: [] },
      },
    ];
    const tapedeck = writable('tapedeck');
    const tape = tapedeck.read(tapeFileFromText(tapedeck.serialise('n', recorded)));
    assert.equal(tape.interactions[0]?.response?.isJson, true);
    assert.equal(findFormat('tapedeck')?.id, 'tapedeck');
  });
});
