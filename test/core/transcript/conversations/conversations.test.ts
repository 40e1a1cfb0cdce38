import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatRequest, ChatResponse, Message, ToolCall, ToolDefinition } from '../../../../src/core/model/message';
import {
  type Continuation,
  ConversationTracker,
} from '../../../../src/core/transcript/conversations/conversationTracker';
import { Random } from '../../../soak/random';

const said = (role: string, content: string): Message => ({ role, content, toolCalls: [] });
const user = (content: string): Message => said('user', content);
const assistant = (content: string): Message => said('assistant', content);
const system = (content: string): Message => said('system', content);

interface Turn {
  readonly request: ChatRequest;
  readonly response: ChatResponse;
}

function ask(messages: readonly Message[], answer: string, setup: Partial<ChatRequest> = {}): Turn {
  return {
    request: { messages, tools: [], params: {}, ...setup },
    response: { content: answer, toolCalls: [] },
  };
}

function follow(turns: readonly Turn[]): readonly Continuation[] {
  const conversations = new ConversationTracker();
  return turns.map(({ request, response }, index) => {
    const continuation = conversations.follow(index, request, response);
    assert.ok(continuation);
    return continuation;
  });
}

/** As `2 continue 1: 3 new; edited 0.1>1.1`. */
const told = (turns: readonly Turn[]): string[] =>
  follow(turns).map(({ conversation, relation, added, changes }) => {
    const flags = changes.map((change) => {
      const places = [
        'before' in change ? placeText(change.before) : '',
        'after' in change ? placeText(change.after) : '',
      ];
      return `${change.type} ${'name' in change ? `${change.name} ` : ''}${places.join('>')}`;
    });
    return [`${relation} ${conversation}`, `new ${added.join(' ')}`, ...flags].join('; ');
  });

const placeText = (place: number | { interaction: number; message: number | 'response' }): string =>
  typeof place === 'number' ? String(place) : `${place.interaction}.${place.message}`;

const one = [system('s'), user('1')];
const two = [...one, assistant('a'), user('2')];
const three = [...two, assistant('b'), user('3')];

describe('following conversations', () => {
  it('finds what each request adds', () => {
    assert.deepEqual(told([ask(one, 'a'), ask(two, 'b'), ask(three, 'c')]), [
      'start 0; new 0 1',
      'continue 0; new 3',
      'continue 0; new 5',
    ]);
  });

  it('tells what was edited, dropped, inserted and moved', () => {
    const edited = [system('S'), user('1'), assistant('a'), user('2')];
    assert.deepEqual(told([ask(one, 'a'), ask(edited, 'b')])[1], 'continue 0; new 3; edited 0.0>1.0');
    const dropped = [system('s'), user('1'), assistant('a'), assistant('b'), user('3')];
    assert.deepEqual(told([ask(one, 'a'), ask(two, 'b'), ask(dropped, 'c')])[2], 'continue 0; new 4; dropped 1.3>');
    const inserted = [system('s'), user('x'), ...two.slice(1)];
    assert.deepEqual(told([ask(one, 'a'), ask(inserted, 'b')])[1], 'continue 0; new 4; inserted >1.1');
    const moved = [system('s'), user('2'), user('1'), assistant('a'), assistant('b'), user('3')];
    assert.deepEqual(told([ask(two, 'b'), ask(moved, 'c')])[1], 'continue 0; new 5; moved 0.3>1.1');
  });

  it('tells of an answer that was rewritten or left out before the agent went on', () => {
    const rewritten = [...one, assistant('summary'), user('2')];
    assert.deepEqual(told([ask(one, 'a'), ask(rewritten, 'b')])[1], 'continue 0; new 3; edited 0.response>1.2');
    assert.deepEqual(told([ask(one, 'a'), ask([...one, user('2')], 'b')])[1], 'continue 0; new 2; dropped 0.response>');
  });

  it('takes an answer that comes back without its reasoning and with other white space for the same', () => {
    const turns = [ask(one, 'a'), ask([...one, assistant(' a\n'), user('2')], 'b')];
    assert.deepEqual(told(turns)[1], 'continue 0; new 3');
  });

  it('takes an answer that comes back without its <think> block for the same, at once or later', () => {
    const thought = '<think>\nThe user greets.\n</think>\n\na';
    for (const answer of [thought, thought.slice('<think>'.length)]) {
      assert.deepEqual(told([ask(one, answer), ask(two, 'b'), ask(three, 'c')]), [
        'start 0; new 0 1',
        'continue 0; new 3',
        'continue 0; new 5',
      ]);
      const withIt = [...one, assistant(answer), user('2')];
      assert.deepEqual(told([ask(one, answer), ask(withIt, 'b'), ask(three, 'c')]), [
        'start 0; new 0 1',
        'continue 0; new 3',
        'continue 0; new 5',
      ]);
    }
  });

  it('tells of an answer that comes back with other words, or another <think> block', () => {
    const answer = '<think>\nThe user greets.\n</think>\n\na';
    for (const other of ['A', answer.replace('greets', 'asks'), `${answer}!`])
      assert.deepEqual(
        told([ask(one, answer), ask([...one, assistant(other), user('2')], 'b')])[1],
        'continue 0; new 3; edited 0.response>1.2',
      );
  });

  it('tells answers apart that say the same', () => {
    const again = [...one, assistant('OK'), user('2'), assistant('OK'), user('3')];
    assert.deepEqual(told([ask(one, 'OK'), ask(again.slice(0, 4), 'OK'), ask(again, 'c')]), [
      'start 0; new 0 1',
      'continue 0; new 3',
      'continue 0; new 5',
    ]);
  });

  it('takes an answer that comes back in pieces, a call with its result at a time, for the same', () => {
    const call = (id: string): ToolCall => ({ id, name: 'find', arguments: { id } });
    const calls = [call('a'), call('b')];
    const result = (toolCallId: string): Message => ({ ...said('tool', 'found'), toolCallId });
    const asks = (...toolCalls: ToolCall[]): Message => ({ ...assistant(''), toolCalls });
    const pieces = [...one, asks(call('a')), result('a'), asks(call('b')), result('b')];
    const first = { ...ask(one, ''), response: { content: null, toolCalls: calls } };
    assert.deepEqual(told([first, ask(pieces, 'b')])[1], 'continue 0; new 3 5');
    const otherIds = [...one, asks({ ...call('a'), id: 'x' }, call('b')), result('x')];
    assert.deepEqual(told([first, ask(otherIds, 'b')])[1], 'continue 0; new 3');
  });

  it('takes a reference to a spoken answer for the answer', () => {
    const reference: Message = {
      ...assistant(''),
      content: null,
      parts: [{ type: 'unknown', raw: { audio: { id: 'a1' } } }],
    };
    assert.deepEqual(told([ask(one, 'a'), ask([...one, reference, user('2')], 'b')])[1], 'continue 0; new 3');
  });

  it('knows a request that is sent again, and goes on from either answer', () => {
    const again = [ask(one, 'a'), ask(one, 'b')];
    const fromFirst = [...one, assistant('a'), user('2')];
    const fromLast = [...one, assistant('b'), user('2')];
    assert.deepEqual(told([...again, ask(fromFirst, 'c')]).slice(1), ['resend 0; new ', 'continue 0; new 3']);
    assert.deepEqual(told([...again, ask(fromLast, 'c')]).slice(1), ['resend 0; new ', 'continue 0; new 3']);
  });

  it('knows a request that goes back and on from there', () => {
    assert.deepEqual(told([ask(three, 'c'), ask([...two, assistant('b'), user('other')], 'd')])[1], 'branch 0; new 5');
  });

  it('keeps conversations apart that take turns on one tape', () => {
    const sub = [system('t'), user('x')];
    const subNext = [...sub, assistant('y'), user('z')];
    assert.deepEqual(told([ask(one, 'a'), ask(sub, 'y'), ask(two, 'b'), ask(subNext, 'w'), ask(three, 'c')]), [
      'start 0; new 0 1',
      'start 1; new 0 1',
      'continue 0; new 3',
      'continue 1; new 3',
      'continue 0; new 5',
    ]);
  });

  it('takes two agents with the same task for two', () => {
    assert.deepEqual(told([ask(one, 'a'), ask([system('other'), user('1')], 'b')])[1], 'start 1; new 0 1');
  });

  it('shows instructions once that another conversation has too', () => {
    assert.deepEqual(told([ask(one, 'a'), ask([system('s'), user('else')], 'b')])[1], 'start 1; new 1');
  });

  it('tells what changed around the messages', () => {
    const tool = (name: string, description: string): ToolDefinition => ({ name, description });
    const setup = { model: 'm', tools: [tool('a', '1'), tool('b', '1')], params: { temperature: 0, user: 'u' } };
    const other = {
      model: 'n',
      tools: [tool('b', '2'), tool('c', '1')],
      params: { temperature: 1, user: 'v', prompt_cache_key: 'k' },
    };
    assert.deepEqual(
      told([ask(one, 'a', setup), ask(two, 'b', other)])[1]
        ?.split('; ')
        .slice(2),
      [
        'model-changed n 0>1',
        'tool-removed a 0>1',
        'tool-added c 0>1',
        'tool-changed b 0>1',
        'param-changed temperature 0>1',
      ],
    );
  });
});

/** Every turn asks, is answered, and repeats all that was said before it. */
function longTalk(turns: number): Turn[] {
  const said: Message[] = [system('You are the assistant of a bookshop.')];
  return Array.from({ length: turns }, (_, turn) => {
    said.push(user(turn % 7 === 3 ? 'Go on.' : `Question ${turn}: what of order ${turn * 31}?`));
    const answered = ask([...said], `Answer ${turn}`, { model: 'm', tools: [{ name: 'find', schema: { turn: 0 } }] });
    said.push(assistant(`Answer ${turn}`));
    return answered;
  });
}

type Change = (request: ChatRequest, length: number) => ChatRequest;

/** A silent change of each kind, in the part of a request that repeats the one before it, whose length is given. */
function silentChange(kind: string, random: Random, serial: number): Change {
  const share = random.next();
  return (request, length) => {
    // Not the instructions, and not the last two: a message may move to behind its neighbour.
    const at = 1 + Math.floor(share * (length - 3));
    const list = [...request.messages];
    const message = list[at] ?? assert.fail('the change is within the request');
    const text = `${message.content} (${serial})`;
    switch (kind) {
      case 'edited':
        return { ...request, messages: list.with(at, { ...message, content: text }) };
      case 'instructions':
        return { ...request, messages: list.with(0, system(`You are the assistant of bookshop ${serial}.`)) };
      case 'dropped':
        return { ...request, messages: list.toSpliced(at, 1) };
      case 'inserted':
        return { ...request, messages: list.toSpliced(at, 0, user(`By the way, ${serial}.`)) };
      case 'moved':
        return { ...request, messages: list.toSpliced(at, 2, ...list.slice(at, at + 2).reverse()) };
      case 'tool-changed':
        return { ...request, tools: [{ name: 'find', schema: { serial } }] };
      default:
        return { ...request, params: { temperature: serial } };
    }
  };
}

const KINDS = ['edited', 'dropped', 'inserted', 'moved', 'tool-changed', 'param-changed', 'instructions'];

describe('a conversation of 200 turns, each with all that came before', () => {
  const talk = longTalk(200);

  it('has each message once', () => {
    assert.deepEqual(
      follow(talk).map(({ added, changes, conversation }) => [added.length, changes.length, conversation]),
      talk.map((_, index) => [index === 0 ? 2 : 1, 0, 0]),
    );
  });

  for (const seed of [1, 2, 3])
    it(`has 100 silent changes flagged where they happen, and nothing else (seed ${seed})`, () => {
      const random = new Random(seed);
      const turns = Array.from({ length: 195 }, (_, index) => index + 4);
      const chosen = new Map<number, string>();
      while (chosen.size < 100) chosen.set(random.pick(turns) ?? 4, KINDS[chosen.size % KINDS.length] ?? '');
      // An agent that rewrites its history sends every later request with the rewritten one.
      const made: { readonly turn: number; readonly change: Change; readonly length: number }[] = [];
      const changed = talk.map(({ request, response }, turn) => {
        const before = made.reduce((asked, { change, length }) => change(asked, length), request);
        const kind = chosen.get(turn);
        if (kind === undefined) return { request: before, response };
        const change = { turn, length: before.messages.length - 2, change: silentChange(kind, random, turn) };
        made.push(change);
        return { request: change.change(before, change.length), response };
      });
      const flagged = follow(changed).flatMap(({ changes }, index) => changes.map(({ type }) => `${index} ${type}`));
      const expected = [...chosen].sort(([left], [right]) => left - right);
      assert.deepEqual(
        flagged,
        expected.map(([turn, kind]) => `${turn} ${kind === 'instructions' ? 'edited' : kind}`),
      );
    });
});

/** What comes next in the log of a session, of which each request has the very messages of the ones before. */
type NextTurn = 'ask' | 'several' | 'no answer' | 'again' | 'back' | 'rewrite' | 'other' | 'split' | 'echo';

const nextTurn = fc.constantFrom<NextTurn>(
  'ask',
  'ask',
  'ask',
  'several',
  'no answer',
  'again',
  'back',
  'rewrite',
  'other',
  'split',
  'echo',
);

function logOf(steps: readonly NextTurn[]): Turn[] {
  let lanes: (readonly Message[])[] = [[system('s')], [system('s')]];
  return steps.map((does, at) => {
    const [lane = []] = lanes;
    const last = lane.at(-1);
    const next: Record<NextTurn, readonly Message[]> = {
      ask: [...lane, user(`ask ${at}`)],
      several: [...lane, user(`see ${at}`), user('Go on.')],
      'no answer': [...lane.slice(0, -1), user(`ask ${at}`)],
      again: lane,
      back: [...lane.slice(0, Math.ceil(lane.length / 2)), user(`back ${at}`)],
      rewrite: [...lane.map((message) => (message.role === 'user' ? user('edited') : message)), user(`ask ${at}`)],
      other: lane,
      split:
        last?.role === 'assistant'
          ? [...lane.slice(0, -1), assistant(`<think>x</think>${last.content}`), user('?')]
          : lane,
      echo: [...lane, ...lane.slice(1, 2), user(`ask ${at}`)],
    };
    const messages = next[does];
    const answer = assistant(`answer ${at % 3}`);
    lanes = [[...messages, answer], ...lanes.slice(1)];
    if (does === 'other') lanes = [lanes[1] ?? [], lanes[0] ?? []];
    return ask(messages, answer.content ?? '');
  });
}

describe('the log of a session', () => {
  it('is followed as one whose requests are stored whole', () => {
    fc.assert(
      fc.property(fc.array(nextTurn, { minLength: 2, maxLength: 14 }), (steps) => {
        const log = logOf(steps);
        assert.deepEqual(follow(log), follow(structuredClone(log)));
      }),
      { numRuns: 400 },
    );
  });

  it('has each message read a few times, however long it gets', () => {
    const reads = new Map<string, number>();
    const counted = (role: string, content: string): Message => ({
      role,
      toolCalls: [],
      get content() {
        reads.set(content, (reads.get(content) ?? 0) + 1);
        return content;
      },
    });
    let messages: readonly Message[] = [system('s')];
    const turns = Array.from({ length: 200 }, (_, at) => {
      messages = [...messages, counted('user', `ask ${at}`)];
      const turn = ask(messages, `answer ${at}`);
      messages = [...messages, counted('assistant', `answer ${at}`)];
      return turn;
    });
    assert.ok(follow(turns).every(({ relation }, at) => relation === (at === 0 ? 'start' : 'continue')));
    assert.ok(Math.max(...reads.values()) < 10, JSON.stringify([...reads].slice(0, 4)));
  });
});
