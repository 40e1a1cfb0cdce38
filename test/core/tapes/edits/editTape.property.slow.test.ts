import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Interaction } from '../../../../src/core/model/interaction';
import type { ListEdit, RedactEdit, TapeEdit } from '../../../../src/core/tapes/format';
import { checkagentFormat } from '../../../../src/core/tapes/formats/checkagent/index';
import { goVcrFormat } from '../../../../src/core/tapes/formats/goVcr/index';
import { httpmockFormat } from '../../../../src/core/tapes/formats/httpmock/index';
import { mofaFormat } from '../../../../src/core/tapes/formats/mofa/index';
import { reynFormat } from '../../../../src/core/tapes/formats/reyn/index';
import { rubyVcrFormat, rVcrFormat } from '../../../../src/core/tapes/formats/rubyVcr/index';
import { vcrpyFormat } from '../../../../src/core/tapes/formats/vcrpy/index';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { corpusSuite } from '../../../corpus';
import { readSamples } from '../corpusSamples';
import { checkEdit } from './checkEdit';

const FORMATS = [
  mofaFormat,
  checkagentFormat,
  reynFormat,
  vcrpyFormat,
  rubyVcrFormat,
  rVcrFormat,
  goVcrFormat,
  httpmockFormat,
];

/** Texts that are not empty and that every format can hold. */
const text = fc.oneof(
  fc.lorem({ maxCount: 12 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    '"quoted" \\ back',
    'two\nlines\n',
    '  led by spaces',
    '# no comment',
    'a: b',
    '- item',
    'null',
    '💾 é',
  ),
);
const json = fc
  .dictionary(
    fc.stringMatching(/^[a-z_]{1,8}$/),
    fc.oneof(text, fc.nat(), fc.boolean(), fc.array(fc.nat(), { maxLength: 3 })),
    {
      maxKeys: 4,
    },
  )
  .map((value) => JSON.parse(JSON.stringify(value)));
const call = fc.record({ id: fc.uuid(), name: fc.constantFrom('lookup_order', 'search'), arguments: json });
const usage = fc.tuple(fc.nat(5000), fc.nat(5000)).map(([promptTokens, completionTokens]) => ({
  promptTokens,
  completionTokens,
  totalTokens: promptTokens + completionTokens,
}));
const exchange = fc.record({
  request: fc.record({
    model: fc.constant('gpt-4.1-mini'),
    messages: fc.array(fc.record({ role: fc.constant('user'), content: text, toolCalls: fc.constant([]) }), {
      minLength: 1,
      maxLength: 2,
    }),
    tools: fc.constant([]),
    params: fc.constant({}),
  }),
  response: fc.record({ content: text, toolCalls: fc.array(call, { maxLength: 3 }), usage }),
});

const ARGUMENTS = '{"city": "Rôme", "list": [1, {"a": null}]}';

type Wanted = Exclude<TapeEdit, RedactEdit>;

/** Every edit that an interaction could carry. */
function editsOf({ index, response, http }: Interaction, count: number): Wanted[] {
  const edits: Wanted[] = [
    { type: 'duplicate', interaction: index },
    { type: 'add', interaction: index },
    { type: 'delete', interaction: index },
    ...(index + 1 < count ? [{ type: 'move', interaction: index, by: 1 } satisfies ListEdit] : []),
    ...(index > 0 ? [{ type: 'move', interaction: index, by: -1 } satisfies ListEdit] : []),
  ];
  if (http?.status !== undefined) edits.push({ type: 'status', interaction: index, status: 429 });
  if (response?.usage !== undefined)
    edits.push({
      type: 'usage',
      interaction: index,
      usage: { promptTokens: response.usage.promptTokens + 7, completionTokens: response.usage.completionTokens + 1 },
    });
  if (response?.content) edits.push({ type: 'response-text', interaction: index, text: 'Hello «you»\nand "them"' });
  const reasoning = response?.parts?.filter((part) => part.type === 'reasoning' && part.text !== '') ?? [];
  return [
    ...edits,
    ...(response?.toolCalls ?? []).map((_, at) => ({
      type: 'arguments' as const,
      interaction: index,
      call: at,
      json: ARGUMENTS,
    })),
    ...reasoning.map((_, part) => ({
      type: 'reasoning' as const,
      interaction: index,
      part,
      text: 'Because "I" said so.',
    })),
  ];
}

describe('an edit of a tape changes what it names and what depends on it', () => {
  for (const format of FORMATS) {
    it(`in any ${format.label}`, () => {
      let made = 0;
      const refused: string[] = [];
      fc.assert(
        fc.property(fc.array(exchange, { minLength: 1, maxLength: 3 }), fc.nat(), (exchanges, pick) => {
          const file = tapeFileFromText(format.serialise('a name', exchanges));
          const { interactions } = format.read(file);
          const edits = interactions.flatMap((interaction) => editsOf(interaction, interactions.length));
          const edit = edits[pick % edits.length];
          assert.ok(edit);
          const edited = checkEdit(file, edit);
          if (typeof edited === 'string') refused.push(`${JSON.stringify(edit)}: ${edited}`);
          else made += 1;
        }),
        { numRuns: 120 },
      );
      assert.ok(refused.length <= made / 20, `${refused.length} of ${made + refused.length} refused: ${refused[0]}`);
    });
  }
});

corpusSuite('edits over the corpus', (corpus) => {
  it('change what they name and what depends on it, or say why not', () => {
    const refused = new Map<string, number>();
    let made = 0;
    for (const [turn, { path, file }] of readSamples(corpus).entries()) {
      const format = detectFormat(file);
      if (format?.editText === undefined || file.text.length > 200_000) continue;
      const { interactions } = format.read(file);
      for (const interaction of interactions.slice(0, 1)) {
        const edits = editsOf(interaction, interactions.length);
        // In turn, so that every kind of edit meets many files without each meeting all.
        for (const edit of edits.filter((_, at) => (at + turn) % 3 === 0)) {
          const edited = checkEdit(file, edit);
          if (typeof edited !== 'string') made += 1;
          else
            refused.set(
              `${format.id} ${edit.type}: ${edited}`,
              (refused.get(`${format.id} ${edit.type}: ${edited}`) ?? 0) + 1,
            );
          assert.ok(typeof edited === 'string' ? /\.$/.test(edited) : true, path);
        }
      }
    }
    const refusals = [...refused.values()].reduce((sum, count) => sum + count, 0);
    console.log(`      ${made} edits made, ${refusals} refused`);
    for (const [why, count] of refused) console.log(`      refused ${count}: ${why}`);
    assert.ok(refusals < made / 20);
  }).timeout(120_000);
});
