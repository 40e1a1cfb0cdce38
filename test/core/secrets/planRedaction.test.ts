import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { HttpExchange } from '../../../src/core/model/http';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import { planRedaction, type RedactionPlan } from '../../../src/core/secrets/planRedaction';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { vcrpyFormat } from '../../../src/core/tapes/formats/vcrpy/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { RUNS } from '../tapes/editing';

const SECRET = 'kd93-Lw0q-77fX';

const chat = (request: string, answer: string): RecordedInteraction => ({
  request: { messages: [{ role: 'user', content: request, toolCalls: [] }], tools: [], params: {} },
  response: { content: answer, toolCalls: [] },
});

const exchange = (changed: Partial<HttpExchange>): RecordedInteraction => ({
  http: {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    requestHeaders: [],
    requestBody: { type: 'none' },
    status: 200,
    responseHeaders: [],
    responseBody: { type: 'none' },
    ...changed,
  },
});

function planned(text: string): RedactionPlan {
  const plan = planRedaction(tapeFileFromText(text), SECRET);
  assert.ok(!('refused' in plan), JSON.stringify(plan));
  assert.ok(!JSON.stringify(plan).includes(SECRET), 'the value is not told');
  return plan;
}

describe('what taking a value out would change', () => {
  it('is told with its places, the interactions they are in, and the text around them', () => {
    const plan = planned(
      mofaFormat.serialise(`the ${SECRET} case`, [
        chat('Nothing here.', 'No.'),
        chat(`My number is ${SECRET}, and again: ${SECRET}!`, `Thanks, ${SECRET}.`),
      ]),
    );
    assert.equal(plan.placeholder, 'REDACTED-1');
    assert.deepEqual([plan.count, plan.interactions], [4, 1]);
    assert.deepEqual(
      plan.places.map(({ interaction, where, before }) => [interaction, where, before.trim()]),
      [
        [null, 'text', '"case_name": "the'],
        [1, 'text', '"content": "My number is'],
        [1, 'text', '…r is REDACTED-1, and again:'],
        [1, 'text', '"response": "Thanks,'],
      ],
    );
    assert.deepEqual(plan.places[2]?.after, '!",');
  });

  it('is told of what is packed, and of what follows', () => {
    const packed = gzipSync(JSON.stringify({ note: 'about', token: SECRET, more: 'x'.repeat(200) }));
    const plan = planned(
      vcrpyFormat.serialise('', [
        exchange({
          requestHeaders: [['authorization', `Bearer ${SECRET}`]],
          responseHeaders: [['content-length', `${packed.length}`]],
          responseBody: { type: 'base64', base64: packed.toString('base64') },
        }),
      ]),
    );
    assert.deepEqual(
      plan.places.map(({ where, before }) => [where, before]),
      [
        ['text', '- Bearer '],
        ['packed', '{"note":"about","token":"'],
      ],
    );
    assert.deepEqual(plan.dependents, ['content-length']);
  });

  it('is told of answers that came in pieces', () => {
    const stream = [SECRET.slice(0, 4), SECRET.slice(4), ' is it.']
      .map(
        (content) =>
          `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })}\n\n`,
      )
      .join('');
    const plan = planned(
      vcrpyFormat.serialise('', [
        exchange({
          requestBody: { type: 'text', text: '{"messages":[]}' },
          responseBody: { type: 'text', text: stream },
        }),
      ]),
    );
    assert.equal(plan.count, 1);
    assert.match(plan.places[0]?.after ?? '', /is it\.|"/);
  });

  it('shows what cannot be seen, and no more than a line', () => {
    const [place] = planned(mofaFormat.serialise('c', [chat(`a\u202eb\nthen ${SECRET}`, 'x')])).places;
    assert.ok(place);
    assert.doesNotMatch(`${place.before}${place.after}`, /[\u202e\n]/);
  });

  it('says why it cannot be, or that there is nothing', () => {
    const file = tapeFileFromText(mofaFormat.serialise('c', [chat('a', 'b')]));
    assert.deepEqual(planRedaction(file, SECRET), { refused: 'This value is not on the tape.' });
    assert.match(JSON.stringify(planRedaction(tapeFileFromText('{"x":1}'), SECRET)), /not a tape/);
  });

  it('counts every place there is, and never tells the value', () => {
    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 12 }).filter((one) => !one.includes('REDACTED'));
    const message = fc.array(text, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(` ${SECRET}, `));
    fc.assert(
      fc.property(fc.array(fc.tuple(message, message), { minLength: 1, maxLength: 4 }), (said) => {
        const file = tapeFileFromText(
          mofaFormat.serialise(
            'c',
            said.map(([asked, answered]) => chat(asked, answered)),
          ),
        );
        const count = file.text.split(SECRET).length - 1;
        const plan = planRedaction(file, SECRET);
        if ('refused' in plan) assert.equal(count, 0);
        else {
          assert.equal(plan.count, count);
          assert.ok(!JSON.stringify(plan).includes(SECRET));
          const touched = said.filter((pair) => pair.some((one) => one.includes(SECRET))).length;
          assert.equal(plan.interactions, touched);
        }
      }),
      RUNS,
    );
  });
});
