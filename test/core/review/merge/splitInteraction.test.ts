import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { HttpExchange } from '../../../../src/core/model/http';
import { compareTapes } from '../../../../src/core/review/compare/compareTapes';
import { Normaliser } from '../../../../src/core/review/compare/normaliser';
import { mergeTapes } from '../../../../src/core/review/merge/mergeTapes';
import { formatById } from '../../../../src/core/tapes/registry';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, post, sse, textBody } from '../../wire/exchanges';

const URL = 'https://api.openai.com/v1/chat/completions';

function call(asked: string, said: string, tokens = 7, model = 'gpt-4o'): HttpExchange {
  const response = {
    id: 'chatcmpl-1',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: said }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 20, completion_tokens: tokens, total_tokens: 20 + tokens },
  };
  const request = { model, messages: [{ role: 'user', content: asked }] };
  return post(URL, request, jsonBody(response), { headers: [['content-type', 'application/json']] });
}

function recorded(id: string, exchanges: readonly HttpExchange[]) {
  const format = formatById(id);
  const interactions = exchanges.map((http) => {
    const { problems: _, ...reading } = readExchange(http);
    return { ...reading, http };
  });
  const file = tapeFileFromText(format.serialise?.('case', interactions) ?? '', 'a');
  return { file, format, tape: format.read(file) };
}

/** Reviews two versions of one exchange, and takes the changes with these titles. */
function take(id: string, before: HttpExchange, after: HttpExchange, ...titles: readonly string[]) {
  const [old, now] = [recorded(id, [before]), recorded(id, [after])];
  const comparison = compareTapes(old.tape, now.tape);
  const merge = mergeTapes(old, now, comparison, new Normaliser());
  const ids = comparison.changes.filter(({ title }) => titles.includes(title)).map((change) => change.id);
  return merge.take(new Set(ids));
}

function textOf(merged: ReturnType<typeof take>): string {
  assert.ok('bytes' in merged, 'torn' in merged ? merged.torn.join() : '');
  return new TextDecoder().decode(merged.bytes);
}

describe('splitInteraction', () => {
  const before = call('Hi', 'The Loire', 7);
  const after = call('Hello you', 'The Danube it is', 11, 'gpt-5-mini');
  const single: readonly (readonly [title: string, only: HttpExchange])[] = [
    ['Text of message 1', call('Hello you', 'The Loire', 7)],
    // Token counts come with the response.
    ['Response', call('Hi', 'The Danube it is', 11)],
    ['Model', call('Hi', 'The Loire', 7, 'gpt-5-mini')],
  ];
  for (const id of ['httprr', 'ruby-vcr', 'vcrpy', 'tapedeck', 'opencode', 'har', 'polly-har', 'go-vcr'])
    it(`takes each change of an interaction alone, with the lengths that follow: ${id}`, () => {
      for (const [title, only] of single)
        assert.equal(textOf(take(id, before, after, title)), recorded(id, [only]).file.text, title);
    });

  describe('in a conversation, in which a Tapedeck tape says nothing twice', () => {
    interface Facts {
      readonly model?: string;
      readonly system?: string;
      readonly type?: string;
      readonly said?: string;
    }
    const headersOf = (body: string): HttpExchange['responseHeaders'] => [
      ['content-type', 'application/json'],
      ['content-length', `${Buffer.byteLength(body)}`],
    ];
    /** A call of a tool, and the answer, which is a stream of the words. */
    const conversation = ({
      model = 'gpt-4o',
      system = 'Be brief.',
      type = 'integer',
      said = 'It is done.',
    }: Facts) => {
      const instructions = { role: 'system', content: `You are the refund agent of a web shop. ${system}` };
      const asked = { role: 'user', content: 'Please refund order 17, which has never arrived at my door.' };
      const refund = { name: 'refund', arguments: '{"order_id": 17}' };
      const called = {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: refund }],
      };
      const result = { role: 'tool', tool_call_id: 'call_1', content: '{"ok": true}' };
      const parameters = { type: 'object', properties: { order_id: { type } }, required: ['order_id'] };
      const tools = [{ type: 'function', function: { name: 'refund', description: 'Refunds an order.', parameters } }];
      const answer = JSON.stringify({ model, choices: [{ index: 0, message: called, finish_reason: 'tool_calls' }] });
      const chunks = said.split(/(?= )/).map((content, index) => ({
        data: `data: ${JSON.stringify({ object: 'chat.completion.chunk', model, choices: [{ index: 0, delta: { content } }] })}\n\n`,
        delayMs: index,
      }));
      const first = { model, messages: [instructions, asked], tools };
      const second = { model, messages: [instructions, asked, called, result], tools, stream: true };
      return [
        { ...post(URL, first, textBody(answer)), responseHeaders: headersOf(answer) },
        { ...post(URL, second, textBody('')), responseBody: { type: 'chunks', chunks } } satisfies HttpExchange,
      ] as const;
    };
    const changes: readonly (readonly [title: string, changed: Facts])[] = [
      ['Model', { model: 'gpt-4.1-mini' }],
      ['Text of message 1', { system: 'Be brief and polite.' }],
      ['Definition of refund', { type: 'string' }],
      ['Response', { said: 'You were refunded.' }],
    ];
    const all = Object.assign({}, ...changes.map(([, changed]) => changed));
    const [old, now] = [recorded('tapedeck', conversation({})), recorded('tapedeck', conversation(all))];
    const comparison = compareTapes(old.tape, now.tape);
    const merge = mergeTapes(old, now, comparison, new Normaliser());
    const taking = (isTaken: (title: string) => boolean): string =>
      textOf(merge.take(new Set(comparison.changes.filter(({ title }) => isTaken(title)).map(({ id }) => id))));

    it('has references, and four changes', () => {
      assert.match(old.file.text, /"\$from":1,"at":0,"count":2/);
      assert.deepEqual(
        comparison.changes.map(({ title }) => title),
        changes.map(([title]) => title),
      );
    });

    it('takes all frames of a stream together, where there are others', () => {
      const said = 'Surely: you get your money back within the week.';
      const long = recorded('tapedeck', conversation({ ...all, said }));
      const compared = compareTapes(old.tape, long.tape);
      const { groups } = mergeTapes(old, long, compared, new Normaliser());
      const titleOf = (id: string) => compared.changes.find((change) => change.id === id)?.title;
      assert.deepEqual(groups.map((group) => group.map(titleOf).sort()).sort(), [
        ['Definition of refund'],
        ['Model', 'Response'],
        ['Text of message 1'],
      ]);
    });

    for (const [title, changed] of changes)
      it(`takes one alone, and leaves one alone: ${title}`, () => {
        const only = recorded('tapedeck', conversation(changed)).file.text;
        const rest = Object.assign({}, ...changes.filter(([other]) => other !== title).map(([, other]) => other));
        assert.equal(
          taking((one) => one === title),
          only,
        );
        assert.equal(
          taking((one) => one !== title),
          recorded('tapedeck', conversation(rest)).file.text,
        );
      });
  });

  it('moves all frames that carry the tokens of a stream', () => {
    const url =
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse';
    const stream = (asked: string, said: string, prompt: number) =>
      post(
        url,
        { contents: [{ role: 'user', parts: [{ text: asked }] }] },
        textBody(
          sse(
            ...[said, ' there', '!'].map((text, index) => ({
              candidates: [
                { content: { role: 'model', parts: [{ text }] }, ...(index === 2 && { finishReason: 'STOP' }) },
              ],
              usageMetadata: {
                promptTokenCount: prompt,
                candidatesTokenCount: index + 1,
                totalTokenCount: prompt + index + 1,
              },
            })),
          ),
        ),
      );
    const taken = textOf(take('vcrpy', stream('Who', 'Hi', 4), stream('How', 'Hello', 9), 'Response'));
    assert.equal(taken, recorded('vcrpy', [stream('Who', 'Hello', 9)]).file.text);
  });

  describe('of a Polly.JS recording', () => {
    const withId = (exchange: HttpExchange, id: string) => {
      const { file, format } = recorded('polly-har', [exchange]);
      const text = file.text.replace(/"_id": "\w+"/, `"_id": "${id}"`);
      return { file: { ...file, text }, format, tape: format.read({ ...file, text }) };
    };
    const idsTaken = (old: ReturnType<typeof withId>, now: ReturnType<typeof withId>) => {
      const comparison = compareTapes(old.tape, now.tape);
      const merge = mergeTapes(old, now, comparison, new Normaliser());
      return ['Model', 'Text of message 1', 'Response'].map((title) => {
        const change = comparison.changes.find((one) => one.title === title);
        const group = merge.groups.find((ids) => change !== undefined && ids.includes(change.id)) ?? [];
        return /"_id": "(\w+)/.exec(textOf(merge.take(new Set(group))))?.[1];
      });
    };

    it('moves an id that is made of the headers too', () => {
      const sent = (exchange: HttpExchange): HttpExchange => ({
        ...exchange,
        requestHeaders: [['Content-Type', 'application/json']],
      });
      const idOf = ({ method, url, requestBody }: HttpExchange): string => {
        const body = requestBody.type === 'text' ? requestBody.text : '';
        const headers = { 'content-type': 'application/json' };
        return createHash('md5').update(JSON.stringify({ body, headers, method, url })).digest('hex');
      };
      assert.deepEqual(
        idsTaken(withId(sent(before), idOf(before)), withId(sent(after), idOf(after))),
        [call('Hi', '', 7, 'gpt-5-mini'), call('Hello you', ''), before].map(idOf),
      );
    });

    it('takes an id with its request that is made of more than the tape has', () => {
      const [old, now] = ['a'.repeat(32), 'b'.repeat(32)];
      assert.deepEqual(idsTaken(withId(before, old), withId(after, now)), [now, now, old]);
    });
  });

  it('names what belongs together', () => {
    const merged = take('azure-test-proxy', call('Hi', 'A'), call('Ho', 'A', 7, 'gpt-5-mini'), 'Model');
    assert.ok('torn' in merged);
    assert.equal(merged.torn.length, 2);
  });
});
