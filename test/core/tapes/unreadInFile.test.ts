import assert from 'node:assert/strict';
import { isNotRead } from '../../../src/core/tapes/notRead';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { samples } from '../../soak/samples';

/** What is told not to be read of a sample in which a member has another name. */
function told(
  path: string,
  from: string,
  to: string,
): readonly (readonly [format: string | undefined, message: string])[] {
  const sample = samples.find((one) => one.path === path) ?? assert.fail(path);
  assert.ok(sample.text.includes(from), from);
  const file = tapeFileFromText(sample.text.replaceAll(from, to), path);
  const format = detectFormat(file);
  return (format?.read(file).problems ?? []).filter(isNotRead).map(({ message }) => [format?.id, message]);
}

const CHAT = [
  { role: 'user', content: 'Weather in Oslo?' },
  { role: 'assistant', content: null, tool_calls: [{ type: 'function', function: { name: 'look', arguments: '{}' } }] },
];

function problemsOf(value: unknown): readonly string[] {
  const file = tapeFileFromText(JSON.stringify(value), 'a.json');
  const format = detectFormat(file) ?? assert.fail('no format');
  return format
    .read(file)
    .problems.filter(isNotRead)
    .map(({ message }) => message);
}

describe('content beside what is read of a tape', () => {
  const CHANGED: readonly (readonly [path: string, from: string, to: string, format: string, told: RegExp])[] = [
    ['langsmith.json', '"tools"', '"offered_tools"', 'langsmith', /`offered_tools`$/],
    ['genai.json', '"attributes"', '"labels"', 'otlp', /: `\w+`/],
    ['genai.json', '"scopeSpans"', '"groups"', 'otlp', /: `\w+`/],
    ['openllmetry.json', '"attributes"', '"labels"', 'otlp', /./],
    ['openllmetry.json', '"scopeSpans"', '"groups"', 'otlp', /./],
    ['openllmetry.json', '"key"', '"name_of"', 'otlp', /./],
    ['openllmetry.json', '"value"', '"said"', 'otlp', /./],
    ['openllmetry.json', '"stringValue"', '"text_value"', 'otlp', /./],
    ['inspect.json', '"events"', '"happened"', 'inspect', /./],
    ['googleAdk.yaml', 'llm_recording:', 'model_recording:', 'google-adk', /`text`/],
    ['order.tape.jsonl', '"json"', '"payload"', 'tapedeck', /`payload`$/],
    ['order.tape.jsonl', '"headers"', '"fields"', 'tapedeck', /`fields`$/],
    ['order.tape.jsonl', '"status"', '"code"', 'tapedeck', /`code`$/],
  ];
  for (const [path, from, to, format, message] of CHANGED)
    it(`is told: ${from} of ${path} is ${to}`, () => {
      const [[claimed, said] = [], ...others] = told(path, from, to);
      assert.equal(claimed, format);
      assert.match(said ?? '', message);
      if (format !== 'tapedeck') assert.deepEqual(others, []);
    });

  it('is nothing that was read in another form, or that nobody said', () => {
    const innocent = [
      CHAT,
      [...CHAT, { role: 'tool', content: '{"answer":"rain, and wind later"}' }],
      [{ ...CHAT[0], error: { message: 'overloaded' } }, ...CHAT],
      [
        ...CHAT,
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And' },
            { type: 'text', text: 'then?' },
          ],
        },
      ],
      [...CHAT, { role: 'user', content: 'See', image: { content: `data://${'A'.repeat(60)}` } }],
      { messages: CHAT, tools: [{ name: 'look', description: 'Looks' }] },
    ];
    for (const value of innocent) assert.deepEqual(problemsOf(value), [], JSON.stringify(value));
  });
});
