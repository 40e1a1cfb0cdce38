import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Interaction, InteractionKind } from '../../../src/core/model/interaction';
import type { Message } from '../../../src/core/model/message';
import type { FormatId, Tape } from '../../../src/core/model/tape';
import { convertTape } from '../../../src/core/tapes/convert';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { formats } from '../../../src/core/tapes/registry';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { isWritable, type WritableFormat } from '../../../src/core/tapes/writableFormat';

const WRITABLE = formats.filter(isWritable);

function writable(id: FormatId): WritableFormat {
  return WRITABLE.find((format) => format.id === id) ?? assert.fail(id);
}

function lossesOf(text: string, to: FormatId): string[] {
  const file = tapeFileFromText(text);
  const format = detectFormat(file) ?? assert.fail('no tape');
  return convertTape(format.read(file), 'a', writable(to), format.unmappedFields?.(file)).losses.map(
    ({ field, lost, changed }) => `${field} ${lost} ${changed}`,
  );
}

const say = (role: string, content: string): Message => ({ role, content, toolCalls: [] });

/** Each says what no other does. */
function interaction(index: number, kind: InteractionKind, more: Partial<Interaction> = {}): Interaction {
  const call = { id: `c${index}`, name: `tool${index}`, arguments: {} };
  const asked = kind === 'tool' ? { ...say('assistant', ''), toolCalls: [call] } : say('user', `ask ${index}`);
  return {
    index,
    kind,
    request: { model: 'm', messages: [asked], tools: [], params: {} },
    response: { content: `answer ${index}`, toolCalls: [] },
    source: { start: index, end: index + 1 },
    ...more,
  };
}

const { request: _request, ...unasked } = interaction(0, 'llm');
const { response: _response, ...unanswered } = interaction(0, 'script');
const KINDS: readonly Interaction[] = [
  interaction(0, 'llm'),
  interaction(1, 'llm', { response: { content: null, toolCalls: [], error: 'HTTP 503' } }),
  interaction(2, 'tool'),
  interaction(3, 'llm'),
  interaction(4, 'environment'),
  interaction(5, 'tool'),
  interaction(6, 'script'),
  interaction(7, 'llm', { request: { messages: [say('user', 'ask 7')], tools: [], params: {}, partial: 'preview' } }),
  interaction(8, 'embedding'),
  interaction(9, 'http'),
  { ...unanswered, index: 10 },
  { ...unasked, index: 11 },
];

describe('a conversion', () => {
  for (const format of WRITABLE) {
    it(`to ${format.id} knows which interaction became which, and has a place for no other`, () => {
      fc.assert(
        fc.property(fc.shuffledSubarray([...KINDS], { minLength: 1 }), (interactions) => {
          const tape: Tape = { format: 'mofa', interactions, problems: [] };
          const { text, kept } = convertTape(tape, 'a', format);
          const held = format.writableSubset?.select(interactions) ?? interactions;
          assert.equal(kept, held.length);
          if (kept === 0) return;
          const written = format.read(tapeFileFromText(text)).interactions;
          assert.equal(written.length, kept);
          for (const [index, { response }] of written.entries())
            if (response?.content) assert.equal(response.content, held[index]?.response?.content ?? '');
        }),
        { numRuns: 60 },
      );
    });
  }

  it('reports what the converted interactions lose, whatever precedes them', () => {
    const environment = '{"kind": "environment", "name": "mcp_catalog", "value": {}}';
    const response = '{"model": "m", "choices": [{"finish_reason": "stop", "message": {"content": "hi"}}]}';
    const completion = `{"key": "k", "model": "m", "prompt_preview": "ask", "key_components": {"messages": ["user:0"], "tools": {"t": "0"}}, "response": ${response}}`;
    assert.deepEqual(lossesOf(`${environment}\n${completion}\n`, 'loader'), [
      'key 1 0',
      'request.digests 1 0',
      'request.model 1 0',
      'request.partial 1 0',
      'request.tools 1 0',
      'response.finishReason 1 0',
      'response.model 1 0',
    ]);
  });

  it('reports fields that only the source format has', () => {
    const session = 'id: a\ninput: hi\ncontract: strict\nexpected_failure: it lied\n';
    const tools = 'tool_responses:\n  - tool: t\n    response: r\n';
    assert.deepEqual(lossesOf(session + tools, 'tapedeck'), ['contract 1 0', 'expected_failure 1 0']);
    assert.deepEqual(lossesOf(`id: a\ninput: hi\ncontract: default\n${tools}`, 'tapedeck'), []);
    const body = '{"choices": [{"message": {"role": "assistant", "content": "hi"}}]}';
    const call = (metadata: string): string =>
      `{"request": {"kind": "llm", "model": "m", "body": {"messages": []}}, "response": {"body": ${body}}, "metadata": ${metadata}}`;
    const cassette = `{"meta": {"schema_version": 1}, "interactions": [${call('{}')}, ${call('{"k": 1}')}]}`;
    assert.deepEqual(lossesOf(cassette, 'tapedeck'), ['metadata 1 0']);
  });

  it('reports no change where a tool was called before the response of the model', () => {
    const tool = interaction(0, 'tool');
    const llm = interaction(1, 'llm');
    const conversion = convertTape(
      { format: 'checkagent', interactions: [tool, llm], problems: [] },
      'a',
      writable('mofa'),
    );
    assert.deepEqual(conversion.losses, []);
    assert.equal(conversion.kept, 1);
    const [written, ...more] = writable('mofa').read(tapeFileFromText(conversion.text)).interactions;
    assert.deepEqual([written?.response?.content, more.length], ['answer 1', 0]);
  });

  it('makes no call of a model of what was none', () => {
    const others = (['environment', 'frame', 'http'] as const).map((kind, index) => interaction(index, kind));
    for (const format of WRITABLE.filter(({ id }) => id !== 'tapedeck'))
      assert.equal(convertTape({ format: 'mofa', interactions: others, problems: [] }, 'a', format).kept, 0, format.id);
  });

  it('takes for the input of a session the first thing that a user says', () => {
    const interactions = [
      { ...unasked, index: 0 },
      interaction(1, 'llm', { request: undefined }),
      interaction(2, 'llm'),
    ];
    const { text } = convertTape({ format: 'mofa', interactions, problems: [] }, 'a', writable('flakestorm'));
    assert.match(text, /"input": "ask 2"/);
  });
});
