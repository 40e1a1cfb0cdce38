import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ChatResponse, Message, ToolCall } from '../../../src/core/model/message';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import type { Transcript, TranscriptEntry } from '../../../src/core/transcript/transcript';
import { readTranscript } from '../../../src/core/transcript/transcriptReader';
import { corpusSuite } from '../../corpus';
import { exchange } from '../tapes/chatArbitraries';

const said = (role: string, content: string | null, toolCalls: ToolCall[] = []): Message => ({
  role,
  content,
  toolCalls,
});
const user = (content: string): Message => said('user', content);
const assistant = (content: string, ...toolCalls: ToolCall[]): Message => said('assistant', content, toolCalls);
const call = (id: string, name = 'search', args: ToolCall['arguments'] = {}): ToolCall => ({
  id,
  name,
  arguments: args,
});
const answer = (toolCallId: string, content: string): Message => ({ ...said('tool', content), toolCallId });

interface Exchange {
  readonly asked?: readonly Message[];
  readonly got: Partial<ChatResponse>;
  readonly model?: string;
}

function transcriptOf(...exchanges: Exchange[]): Transcript {
  const text = mofaFormat.serialise(
    'talk',
    exchanges.map(({ asked, got, model }) => ({
      ...(asked && { request: { messages: asked, tools: [], params: {}, ...(model && { model }) } }),
      response: { content: '', toolCalls: [], ...got },
    })),
  );
  const transcript = readTranscript(tapeFileFromText(text));
  assert.ok(transcript);
  assert.deepEqual(transcript.problems, []);
  return transcript;
}

function entriesOf({ bodies }: Transcript): readonly TranscriptEntry[] {
  return bodies.flatMap(({ entries }) => entries);
}

/** The silent changes of an interaction, as their titles and what they took and put. */
function flags({ bodies }: Transcript, interaction: number): string[] {
  return (bodies[interaction]?.changes ?? []).map(({ title, since, diff }) => {
    const pieces = diff.flatMap((piece) =>
      piece.type === 'added' ? `+${piece.text}` : piece.type === 'removed' ? `-${piece.text}` : [],
    );
    return `${title} since ${since}: ${pieces.join(' ')}`;
  });
}

/** A transcript as lines: `0 < user: text` from a request, `0 > assistant: text name(arguments)=result` from a response. */
function lines(transcript: Transcript): string[] {
  return entriesOf(transcript).map(({ interaction, origin, role, text, toolCalls }) => {
    const calls = toolCalls.map(
      ({ name, arguments: args, result }) => ` ${name}(${args})${result ? `=${result}` : ''}`,
    );
    return `${interaction} ${origin === 'request' ? '<' : '>'} ${role}: ${text}${calls.join('')}`;
  });
}

describe('readTranscript', () => {
  it('says what was captured of the environment', () => {
    const environment = '{"kind": "environment", "name": "mcp_catalog", "value": {"a": [{"name": "x"}]}}\n';
    const embedding = '{"key": "k", "kind": "embedding", "model": "e", "prompt_preview": "text", "response": {}}\n';
    const transcript = readTranscript(tapeFileFromText(environment + embedding, 'a.jsonl'));
    assert.ok(transcript);
    const [entry] = entriesOf(transcript);
    assert.deepEqual(
      [entry?.role, entry?.text, entry?.missing],
      ['environment', 'mcp_catalog: 1 server, 1 tool', undefined],
    );
  });

  it('shows of each request only what it adds to the conversation', () => {
    const system = said('system', 'be kind');
    const first = [system, user('one')];
    const second = [...first, assistant('1'), user('two')];
    const third = [...second, assistant('2'), user('three')];
    const transcript = transcriptOf(
      { asked: first, got: { content: '1' } },
      { asked: second, got: { content: '2' } },
      { asked: third, got: { content: '3' } },
    );
    assert.deepEqual(lines(transcript), [
      '0 < system: be kind',
      '0 < user: one',
      '0 > assistant: 1',
      '1 < user: two',
      '1 > assistant: 2',
      '2 < user: three',
      '2 > assistant: 3',
    ]);
  });

  it('shows nothing of a request that is sent again', () => {
    const asked = [user('one')];
    const transcript = transcriptOf({ asked, got: { content: 'a' } }, { asked, got: { content: 'b' } });
    assert.deepEqual(lines(transcript), ['0 < user: one', '0 > assistant: a', '1 > assistant: b']);
  });

  it('shows an edited message where it was edited, and the rest of the history not again', () => {
    const transcript = transcriptOf(
      { asked: [said('system', 's'), user('one'), assistant('x'), user('two')], got: { content: '2' } },
      {
        asked: [said('system', 's'), user('ONE'), assistant('x'), user('two'), assistant('2'), user('three')],
        got: { content: '3' },
      },
    );
    assert.deepEqual(lines(transcript).slice(4), ['0 > assistant: 2', '1 < user: three', '1 > assistant: 3']);
    assert.deepEqual(flags(transcript, 1), ['User message edited since 0: -one +ONE']);
  });

  it('shows an answer that the agent rewrote before it went on', () => {
    const transcript = transcriptOf(
      { asked: [user('one')], got: { content: 'long answer' } },
      { asked: [user('one'), assistant('summary'), user('two')], got: { content: '2' } },
    );
    assert.deepEqual(lines(transcript).slice(2), ['1 < user: two', '1 > assistant: 2']);
    assert.deepEqual(flags(transcript, 1), ['Response edited since 0: -long answer +summary']);
  });

  it('takes an absent text and an empty one for the same', () => {
    const calls = [call('c1')];
    const transcript = transcriptOf(
      { asked: [user('one')], got: { content: '', toolCalls: calls } },
      { asked: [user('one'), said('assistant', null, calls), answer('c1', 'found')], got: { content: 'done' } },
    );
    assert.deepEqual(lines(transcript), ['0 < user: one', '0 > assistant:  search({})=found', '1 > assistant: done']);
  });

  it('sees that the arguments of an earlier call were edited', () => {
    const transcript = transcriptOf(
      { asked: [user('one')], got: { toolCalls: [call('c1', 'search', { q: 'a' })] } },
      { asked: [user('one'), assistant('', call('c1', 'search', { q: 'b' })), answer('c1', 'found')], got: {} },
    );
    assert.deepEqual(lines(transcript).slice(1), ['0 > assistant:  search({\n  "q": "a"\n})=found', '1 > assistant: ']);
    assert.deepEqual(flags(transcript, 1), ['Response edited since 0: -a +b']);
  });

  it('sees that a result now answers another call', () => {
    const transcript = transcriptOf(
      { asked: [user('one'), answer('lost', 'found')], got: { content: 'a' } },
      { asked: [user('one'), answer('gone', 'found')], got: { content: 'b' } },
    );
    assert.equal(lines(transcript).filter((line) => line.includes('tool: found')).length, 2);
  });

  it('joins results to their calls, also when they come in another order', () => {
    const calls = [call('c1', 'first', { q: 1 }), call('c2', 'second', 'not json')];
    const transcript = transcriptOf(
      { asked: [user('go')], got: { toolCalls: calls } },
      {
        asked: [user('go'), assistant('', ...calls), answer('c2', 'two'), answer('c1', 'one')],
        got: { content: 'ok' },
      },
    );
    assert.deepEqual(lines(transcript), [
      '0 < user: go',
      '0 > assistant:  first({\n  "q": 1\n})=one second(not json)=two',
      '1 > assistant: ok',
    ]);
  });

  it('joins results to the calls of their own turn when ids start again', () => {
    const turn = (result: string): Message[] => [assistant('', call('call_0')), answer('call_0', result)];
    const transcript = transcriptOf(
      { asked: [user('go')], got: { toolCalls: [call('call_0')] } },
      { asked: [user('go'), ...turn('one')], got: { toolCalls: [call('call_0')] } },
      { asked: [user('go'), ...turn('one'), ...turn('two')], got: { content: 'ok' } },
    );
    assert.deepEqual(lines(transcript), [
      '0 < user: go',
      '0 > assistant:  search({})=one',
      '1 > assistant:  search({})=two',
      '2 > assistant: ok',
    ]);
  });

  it('joins results in order where calls have empty ids', () => {
    const calls = [call('', 'first'), call('', 'second')];
    const transcript = transcriptOf(
      { asked: [user('go')], got: { toolCalls: calls } },
      { asked: [user('go'), assistant('', ...calls), answer('', 'one'), answer('', 'two')], got: { content: 'ok' } },
    );
    assert.deepEqual(lines(transcript)[1], '0 > assistant:  first({})=one second({})=two');
    assert.equal(entriesOf(transcript).length, 3);
  });

  it('joins the result of a call that comes back under another id', () => {
    const transcript = transcriptOf(
      { asked: [user('go')], got: { toolCalls: [call('c1', 'find'), call('c2', 'ship')] } },
      {
        asked: [
          user('go'),
          assistant('', call('x', 'find'), call('y', 'ship')),
          answer('y', 'sent'),
          answer('x', 'found'),
        ],
        got: { content: 'ok' },
      },
    );
    assert.deepEqual(lines(transcript), [
      '0 < user: go',
      '0 > assistant:  find({})=found ship({})=sent',
      '1 > assistant: ok',
    ]);
  });

  it('shows an edited result beside the first one', () => {
    const asked = [user('go'), assistant('', call('c1'))];
    const transcript = transcriptOf(
      { asked: [user('go')], got: { toolCalls: [call('c1')] } },
      { asked: [...asked, answer('c1', 'one')], got: { content: 'a' } },
      { asked: [...asked, answer('c1', 'ONE')], got: { content: 'b' } },
    );
    assert.deepEqual(lines(transcript).slice(1), [
      '0 > assistant:  search({})=one',
      '1 > assistant: a',
      '2 < tool: ONE',
      '2 > assistant: b',
    ]);
  });

  it('shows a result that answers no known call as a message', () => {
    const transcript = transcriptOf({ asked: [user('go'), answer('lost', 'found')], got: { content: 'ok' } });
    assert.deepEqual(lines(transcript), ['0 < user: go', '0 < tool: found', '0 > assistant: ok']);
  });

  it('shows a result before its call as a message', () => {
    const transcript = transcriptOf({ asked: [answer('c1', 'early')], got: { toolCalls: [call('c1')] } });
    assert.deepEqual(lines(transcript), ['0 < tool: early', '0 > assistant:  search({})']);
  });

  it('keeps an empty result', () => {
    const transcript = transcriptOf(
      { asked: [user('go')], got: { toolCalls: [call('c1')] } },
      { asked: [user('go'), assistant('', call('c1')), answer('c1', '')], got: { content: 'ok' } },
    );
    assert.equal(entriesOf(transcript)[1]?.toolCalls[0]?.result, '');
  });

  it('shows the answers of a tape without requests', () => {
    const transcript = transcriptOf({ got: { content: 'a' } }, { got: { content: 'b' } });
    assert.deepEqual(lines(transcript), ['0 > assistant: a', '1 > assistant: b']);
  });

  it('goes on with the conversation after an interaction without a request', () => {
    const transcript = transcriptOf(
      { asked: [user('one')], got: { content: 'a' } },
      { got: { content: 'b' } },
      { asked: [user('one'), assistant('a'), assistant('b'), user('two')], got: { content: 'c' } },
    );
    assert.deepEqual(lines(transcript), [
      '0 < user: one',
      '0 > assistant: a',
      '1 > assistant: b',
      '2 < user: two',
      '2 > assistant: c',
    ]);
  });

  it('says which model answered and what it cost, and adds it up', () => {
    const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 };
    const transcript = transcriptOf(
      { asked: [user('q')], model: 'm', got: { content: 'a', usage } },
      { got: { usage } },
    );
    const [, first] = entriesOf(transcript);
    assert.equal(first?.model, 'm');
    assert.deepEqual(first?.usage, usage);
    assert.equal(transcript.name, 'talk');
    assert.equal(transcript.formatLabel, 'MoFA tape');
    assert.deepEqual(transcript.totals, {
      interactions: 2,
      toolCalls: 0,
      usage: { promptTokens: 2, completionTokens: 4, totalTokens: 6 },
      unpriced: 2,
    });
  });

  it('has an entry for every response, in order, and can be sent as a message', () => {
    fc.assert(
      fc.property(fc.array(exchange, { maxLength: 5 }), (exchanges) => {
        const transcript = readTranscript(tapeFileFromText(mofaFormat.serialise('t', exchanges)));
        assert.ok(transcript);
        const responses = entriesOf(transcript).filter(({ origin }) => origin === 'response');
        assert.deepEqual(
          responses.map(({ interaction }) => interaction),
          exchanges.map((_, index) => index),
        );
        assert.deepEqual(JSON.parse(JSON.stringify(transcript)), transcript);
      }),
    );
  });

  it('shows what could be read of a broken tape, and on which line it breaks', () => {
    const text = '{"version": 1, "case_name": "c", "interactions": [\n{"response": "a"},\n{"response": "b", }]}';
    const transcript = readTranscript(tapeFileFromText(text));
    assert.ok(transcript);
    assert.deepEqual(lines(transcript), ['0 > assistant: a', '1 > assistant: b']);
    assert.equal(transcript.problems[0]?.line, 3);
  });

  it('is undefined for what is no tape', () => {
    assert.equal(readTranscript(tapeFileFromText('{}')), undefined);
  });
});

corpusSuite('the transcript of a MoFA tape', (folder) => {
  it('is the conversation that was recorded', () => {
    const tape = join(folder, 'mofa-project/tests/fixtures/simple_agent_recorded.tape.json');
    const transcript = readTranscript(tapeFileFromText(readFileSync(tape, 'utf8')));
    assert.deepEqual(transcript && entriesOf(transcript).map(({ role, origin }) => `${origin} ${role}`), [
      'request system',
      'request user',
      'response assistant',
    ]);
    assert.equal(transcript && entriesOf(transcript)[1]?.text, 'hello');
  });
});
