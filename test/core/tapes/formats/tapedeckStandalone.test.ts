import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RecordedInteraction } from '../../../../src/core/model/interaction';
import { tapedeckFormat } from '../../../../src/core/tapes/formats/tapedeck/index';
import { plainInteraction } from '../../../../src/core/tapes/lazyTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { exchange } from '../chatArbitraries';
import { RUNS, readAs } from '../editing';
import { httpExchange } from '../httpArbitraries';

const write = (interactions: readonly RecordedInteraction[]): string =>
  tapedeckFormat.serialise('refund', interactions);
const split = (text: string) =>
  tapedeckFormat.standalone(tapeFileFromText(text, 'a.tape.jsonl')) ?? assert.fail('it is not split');
function itemsOf(text: string): string[] {
  const { items } = split(text);
  return Array.from({ length: items.length }, (_, index) => items.at(index) ?? '');
}
const joined = (text: string, items: readonly string[]): string => split(text).join([split(text).head, ...items]);
/** What the interactions of a tape say, wherever they are in it. */
const contents = (text: string) =>
  readAs('tapedeck', text).interactions.map((interaction) => {
    const { index: _, source: __, id: ___, ...content } = plainInteraction(interaction);
    return content;
  });

const said = (role: string, content: string) => ({ role, content });
const conversation = (...messages: unknown[]): RecordedInteraction => ({
  http: {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    requestHeaders: [['content-type', 'application/json; charset=utf-8; and-what-else-there-is-to-say']],
    requestBody: { type: 'text', text: JSON.stringify({ model: 'gpt-4o', messages }) },
    status: 200,
    responseHeaders: [],
    responseBody: { type: 'text', text: '{"object":"chat.completion","choices":[]}' },
  },
});

describe('the interactions of a Tapedeck tape as texts of their own', () => {
  it('are a tape again, to the last character', () => {
    const interactions = fc.array(
      fc.oneof(
        httpExchange.map((http): RecordedInteraction => ({ http })),
        exchange,
        fc
          .array(
            fc.constantFrom(...'abc').map((letter) => said('user', letter.repeat(70))),
            { maxLength: 5 },
          )
          .map((messages) => conversation(...messages, { $from: 1, at: 0, count: 2 })),
      ),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(interactions, (all) => {
        const text = write(all);
        assert.equal(joined(text, itemsOf(text)), text);
      }),
      RUNS,
    );
  });

  it('say alone, and in any order, what they say on the tape', () => {
    const first = said('user', 'Where is order 17? It was to come on Monday, and today is Thursday.');
    const text = write([
      conversation(first),
      conversation(first, said('assistant', 'Lost.'), said('user', 'Oh.')),
      conversation(first),
    ]);
    assert.match(text, /"\$from":1.*\n.*\n.*"same":1/);
    const items = itemsOf(text);
    const [one, two, three] = contents(text);
    for (const [index, alone] of [one, two, three].entries())
      assert.deepEqual(contents(split(text).head + items[index]), [alone]);
    assert.deepEqual(contents(joined(text, [...items].reverse())), [three, two, one]);
    assert.deepEqual(contents(joined(text, items.slice(1))), [two, three]);
  });

  it('are those of a tape whose lines are in another order, with what nobody knows in them', () => {
    const [head, request, response, second, other] = write([
      conversation(said('user', 'a')),
      conversation(said('user', 'b')),
    ])
      .trimEnd()
      .split('\n');
    const odd = response?.replace('{', '{"note":"from me",');
    const text = [head, request, second, other, odd, ''].join('\n');
    const again = joined(text, itemsOf(text));
    assert.deepEqual(
      again.split('\n').map((line) => /"(?:request|response)":\d|note/.exec(line)?.[0]),
      [undefined, '"request":1', 'note', '"request":2', '"response":2', undefined],
    );
    assert.deepEqual(contents(again), contents(text));
  });

  it('are written in full where the tape is', () => {
    const first = said('user', 'Where is order 17? It was to come on Monday, and today is Thursday.');
    const text = write([conversation(first), conversation(first, said('user', 'Oh.'))]);
    const items = itemsOf(text);
    const full = split(text).head + items[0] + items[1]?.replaceAll(/"(request|response)":1/g, '"$1":2');
    assert.equal(joined(full, itemsOf(full)), full);
    assert.equal(joined(text, itemsOf(full)), text);
  });

  it('are none where a line is not understood', () => {
    const text = write([conversation(said('user', 'a'))]);
    for (const line of ['{', '{"what":"else"}', '{"response":7}', '{"after":1,"text":"a"}', '{"request":2,"same":7}'])
      assert.equal(
        tapedeckFormat.standalone(tapeFileFromText(text.replace('\n', `\n${line}\n`), 'a.tape.jsonl')),
        undefined,
        line,
      );
  });
});
