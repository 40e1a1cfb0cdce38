import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatRequest, Message, ToolDefinition } from '../../../src/core/model/message';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { brokenPart } from '../../../src/core/transcript/cachePrefix';
import { readTranscript } from '../../../src/core/transcript/transcriptReader';

const LONG = 'You are a clerk of a shop, and you are thorough. '.repeat(200);
const TOOLS = ['search', 'refund'].map((name) => ({
  name,
  description: `Does ${name}.`,
  input_schema: { type: 'object' },
}));

interface Turn {
  readonly url: string;
  readonly body: object;
  readonly usage: object;
}

/** A tape of these requests, and what its transcript says of the prefix of each. */
function breaks(turns: readonly Turn[]): readonly string[][] {
  const lines = turns.flatMap(({ url, body, usage }, number) => [
    { request: number, method: 'POST', url, json: body },
    { response: number, status: 200, json: responseOf(url, usage) },
  ]);
  const text = [{ tapedeck: 'tape', version: 1 }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
  const transcript = readTranscript(tapeFileFromText(text, 'a.tape.jsonl'));
  assert.ok(transcript);
  return transcript.bodies.map(({ changes }) =>
    changes.flatMap(({ title, since, uncached }) =>
      uncached === undefined ? [] : `${title} since #${(since ?? 0) + 1}: ${uncached > 1500 ? 'most' : 'some'}`,
    ),
  );
}

function responseOf(url: string, usage: object): object {
  return url.includes('anthropic')
    ? {
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [{ type: 'text', text: 'Yes.' }],
        usage,
      }
    : {
        object: 'chat.completion',
        model: 'gpt-4o',
        choices: [{ message: YES }],
        usage,
      };
}

const openai = (more: object, messages: readonly object[], prompt_tokens = 2600): Turn => ({
  url: 'https://api.openai.com/v1/chat/completions',
  body: { model: 'gpt-4o', ...more, messages },
  usage: { prompt_tokens, completion_tokens: 2, total_tokens: prompt_tokens + 2 },
});
const said = (role: string, content: string) => ({ role, content });
const [SYSTEM, FIRST, YES, SECOND] = [
  said('system', LONG),
  said('user', 'Hello'),
  said('assistant', 'Yes.'),
  said('user', 'Go on'),
];

describe('what breaks the prefix that a provider has in its cache', () => {
  it('of OpenAI is the first part that differs, of a prompt that is long enough', () => {
    const before = openai({}, [SYSTEM, FIRST]);
    assert.deepEqual(breaks([before, openai({}, [SYSTEM, FIRST, YES, SECOND])]), [[], []]);
    const edited = openai({}, [said('system', `${LONG}Today is Monday.`), FIRST, YES, SECOND]);
    assert.deepEqual(breaks([before, edited]), [[], ['System message edited since #1: most']]);
    const short = (text: string) => openai({}, [said('system', text), FIRST, YES, SECOND], 200);
    assert.deepEqual(breaks([openai({}, [said('system', 'x'), FIRST], 100), short('y')]), [[], []]);
    const model = openai({ model: 'gpt-4o-mini' }, [SYSTEM, FIRST, YES, SECOND]);
    assert.deepEqual(breaks([before, model]), [[], ['Model changed since #1: most']]);
  });

  it('is no change of the last message alone, whose few tokens are not worth a word', () => {
    const state = (text: string) => said('user', `State: ${text}`);
    const turns = [openai({}, [SYSTEM, FIRST, state('1')]), openai({}, [SYSTEM, FIRST, state('2')])];
    assert.deepEqual(breaks(turns), [[], []]);
  });

  it('of Anthropic counts tools before the system prompt, and only where its cache is used', () => {
    const anthropic = (tools: readonly object[], usage: object, more: object = {}): Turn => ({
      url: 'https://api.anthropic.com/v1/messages',
      body: {
        model: 'claude-sonnet-4-5',
        max_tokens: 10,
        tools,
        system: LONG,
        messages: [FIRST, YES, SECOND],
        ...more,
      },
      usage: { input_tokens: 10, output_tokens: 2, ...usage },
    });
    const written = { cache_creation_input_tokens: 2600 };
    const start = anthropic(TOOLS, written, { messages: [FIRST] });
    const marked = TOOLS.map((tool) => ({ ...tool, cache_control: { type: 'ephemeral' } }));
    assert.deepEqual(breaks([start, anthropic(marked, written)]), [[], []], 'the mark moves along');
    assert.deepEqual(breaks([start, anthropic([...TOOLS].reverse(), written)]), [
      [],
      ['Tools reordered since #1: most'],
    ]);
    const unused = anthropic(TOOLS, { input_tokens: 2600 }, { messages: [FIRST] });
    assert.deepEqual(breaks([unused, anthropic([...TOOLS].reverse(), { input_tokens: 2600 })]), [[], []]);
    const forced = anthropic(TOOLS, written, { tool_choice: { type: 'any' } });
    assert.deepEqual(breaks([start, forced]), [[], ['Parameter tool_choice changed since #1: most']]);
  });

  it('is also what means the same, such as other white space in the arguments of a call', () => {
    const calling = (args: string) => ({
      ...{ role: 'assistant', content: null },
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'search', arguments: args } }],
    });
    const result = { role: 'tool', tool_call_id: 'a', content: LONG };
    const found = breaks([
      openai({}, [said('system', 'x'), FIRST, calling('{"a":1}'), result]),
      openai({}, [said('system', 'x'), FIRST, calling('{"a": 1}'), result, YES, SECOND]),
    ]);
    assert.deepEqual(found, [[], ['Message 3 sent differently since #1: most']]);
  });

  it('is also another order of members, which a model reads as other tokens', () => {
    const tool = (parameters: object) => ({
      type: 'function',
      function: { name: 'search', description: LONG, parameters },
    });
    const schema = (properties: object) => ({ type: 'object', properties });
    const [a, b] = [{ type: 'string' }, { type: 'integer' }];
    const before = openai({ tools: [tool(schema({ a, b }))] }, [SYSTEM, FIRST]);
    const later = (parameters: object) => openai({ tools: [tool(parameters)] }, [SYSTEM, FIRST, YES, SECOND]);
    const broken = [[], ['Tool search sent differently since #1: most']];
    assert.deepEqual(breaks([before, later(schema({ a, b }))]), [[], []]);
    assert.deepEqual(breaks([before, later(schema({ b, a }))]), broken, 'properties');
    assert.deepEqual(breaks([before, later({ properties: { a, b }, type: 'object' })]), broken, 'members');
  });

  it('is nothing in a request that only goes on, and found wherever a message differs', () => {
    const message: fc.Arbitrary<Message> = fc.record({
      role: fc.constantFrom('user', 'assistant', 'tool'),
      content: fc.string(),
      toolCalls: fc.constant([]),
    });
    const tool: fc.Arbitrary<ToolDefinition> = fc.record({ name: fc.string(), description: fc.string() });
    const request = (messages: readonly Message[], tools: readonly ToolDefinition[]): ChatRequest => ({
      messages,
      tools,
      params: {},
    });
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1 }),
        fc.array(message),
        fc.array(tool),
        fc.nat(),
        (old, more, tools, at) => {
          assert.equal(brokenPart(request(old, tools), request([...old, ...more], tools), []), undefined);
          const index = at % old.length;
          const edited = old.map((one, place) => (place === index ? { ...one, content: `${one.content}!` } : one));
          assert.deepEqual(brokenPart(request(old, tools), request([...edited, ...more], tools), []), {
            type: 'message',
            index,
          });
          const added = { name: 'another', description: '' };
          assert.deepEqual(brokenPart(request(old, tools), request(edited, [...tools, added]), []), {
            type: 'tool',
            name: 'another',
          });
        },
      ),
    );
  });
});
