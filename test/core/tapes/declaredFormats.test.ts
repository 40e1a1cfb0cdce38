import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readConfig } from '../../../src/core/project/readConfig';
import { declaredFormat } from '../../../src/core/tapes/declaredFormats';
import { declareLayouts } from '../../../src/core/tapes/declaredLayouts';
import type { DeclaredLayout } from '../../../src/core/tapes/layoutSchema';
import { proposeLayout } from '../../../src/core/tapes/proposeLayout';
import { readTape } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../src/core/text/splice';
import { yamlText } from '../../harness/yamlText';

const asked = (text: string) => ({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: text }] });
const answer = (text: string) => ({
  id: 'c1',
  object: 'chat.completion',
  model: 'gpt-4o-mini',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
});
const pieces = (text: string) =>
  [text.slice(0, 2), text.slice(2)].map((content, at) => ({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content }, finish_reason: at === 1 ? 'stop' : null }],
  }));
const stream = (text: string) => [
  ...pieces(text).map((piece) => `data: ${JSON.stringify(piece)}\n\n`),
  'data: [DONE]\n\n',
];
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const URL = 'https://api.openai.com/v1/chat/completions';

const ROOT = '/srv/project';

function declared(...layouts: readonly DeclaredLayout[]): (path: string, text: string) => ReturnType<typeof readTape> {
  declareLayouts(ROOT, layouts);
  return (path, text) => readTape(tapeFileFromText(text, path));
}

describe('declared layouts', () => {
  afterEach(() => declareLayouts(ROOT, []));

  const layout: DeclaredLayout = {
    name: 'our recorder',
    files: ['calls/*.json'],
    entries: 'steps',
    kind: 'type',
    models: ['model'],
    tools: ['tool'],
    request: 'in',
    response: 'out',
    tool_name: 'name',
    tool_input: 'in',
    tool_output: 'out',
    error: 'failure',
  };
  const file = JSON.stringify({
    steps: [
      { type: 'note', text: 'begin' },
      { type: 'model', in: asked('Weather?'), out: answer('Four degrees.') },
      { type: 'tool', name: 'get_weather', in: { city: 'Oslo' }, out: { temp: 4 } },
      { type: 'model', in: asked('Wind?'), failure: { message: 'rate limit' } },
    ],
  });

  it('read a file that they name', () => {
    const tape = declared(layout)('/srv/project/calls/a.json', file);
    assert.equal(tape?.format, 'layout:our recorder');
    assert.deepEqual(
      tape?.interactions.map(({ kind, response }) => [kind, response?.content ?? response?.error]),
      [
        ['llm', 'Four degrees.'],
        ['tool', '{"temp":4}'],
        ['llm', 'HTTP 500: rate limit'],
      ],
    );
    assert.deepEqual(
      tape?.problems.filter(({ severity }) => severity !== 'info'),
      [],
    );
  });

  it('hold for the files that they name, below their own root', () => {
    const read = declared(layout);
    assert.equal(read('calls/a.json', file)?.format, 'layout:our recorder');
    for (const path of ['other/a.json', '/srv/other/calls/a.json', 'calls/deep/a.json'])
      assert.notEqual(read(path, file)?.format, 'layout:our recorder', path);
    declareLayouts(ROOT, []);
    assert.notEqual(read('/srv/project/calls/a.json', file)?.format, 'layout:our recorder');
  });

  it('come before the formats that Tapedeck knows', () => {
    const vcr = JSON.stringify({
      version: 1,
      interactions: [
        {
          request: { method: 'POST', uri: URL, body: JSON.stringify(asked('a')) },
          response: { status: { code: 200 }, body: { string: JSON.stringify(answer('b')) } },
        },
      ],
    });
    const own: DeclaredLayout = {
      name: 'mine',
      files: ['*.json'],
      entries: 'interactions',
      url: 'request.uri',
      request: 'request.body',
      status: 'response.status.code',
      response: 'response.body.string',
    };
    const tape = declared(own)('x/vcr.json', vcr);
    assert.equal(tape?.format, 'layout:mine');
    assert.equal(tape?.interactions[0]?.response?.content, 'b');
  });

  it('say what they do not read', () => {
    const wrong = declared({ ...layout, response: 'outcome' })('/srv/project/calls/a.json', file);
    assert.ok(wrong?.problems.some(({ code }) => code === 'not-read'));
  });

  it('are read from tapedeck.toml', () => {
    const toml =
      '[[tapes.layout]]\nname = "mine"\nfiles = ["a/*.json"]\nentries = "steps"\nrequest = "in"\nresponse = "out"\n';
    const { value, problems } = readConfig(toml);
    assert.deepEqual(problems, []);
    assert.deepEqual(value?.layouts, [
      { name: 'mine', files: ['a/*.json'], entries: 'steps', request: 'in', response: 'out' },
    ]);
    assert.match(readConfig('[[tapes.layout]]\nname = "mine"\n').problems[0]?.message ?? '', /files/);
  });
});

/** A home-made format: names, nesting, how bodies are stored, and in what. */
interface HomeMade {
  readonly list: string | undefined;
  readonly wrapped: boolean;
  readonly names: readonly [request: string, response: string];
  readonly body: 'json' | 'text' | 'base64';
  readonly answer: 'body' | 'text stream' | 'list stream' | 'objects';
  readonly http: boolean;
  readonly tools: boolean;
  readonly container: 'json' | 'jsonl' | 'yaml';
}

const homeMade: fc.Arbitrary<HomeMade> = fc.record({
  list: fc.constantFrom(undefined, 'steps', 'calls', 'log.entries', 'data.turns'),
  wrapped: fc.boolean(),
  names: fc.constantFrom(
    ['request', 'response'],
    ['in', 'out'],
    ['prompt', 'result'],
    ['sent', 'received'],
    ['kwargs', 'returned'],
  ),
  body: fc.constantFrom('json', 'text', 'base64'),
  answer: fc.constantFrom('body', 'text stream', 'list stream', 'objects'),
  http: fc.boolean(),
  tools: fc.boolean(),
  container: fc.constantFrom('json', 'jsonl', 'yaml'),
});

function fileOf(made: HomeMade, texts: readonly string[]): string {
  const stored = (json: unknown): unknown => {
    if (made.body === 'json') return json;
    return made.body === 'text' ? JSON.stringify(json) : base64(JSON.stringify(json));
  };
  const entries = texts.flatMap((text, at) => [callOf(made, stored, text, at), ...(made.tools ? [TOOL] : [])]);
  if (made.container === 'jsonl') return entries.map((entry) => JSON.stringify(entry)).join('\n');
  const root = (made.list ?? '')
    .split('.')
    .filter(Boolean)
    .reduceRight<unknown>((inside, key) => ({ [key]: inside }), entries);
  return made.container === 'json' ? JSON.stringify(root, null, 2) : yamlText(root);
}

const TOOL = { type: 'tool', name: 'get_weather', args: { city: 'Oslo' }, output: { temp: 4 } };

function callOf(
  { wrapped, names: [request, response], answer: how, http, tools }: HomeMade,
  stored: (json: unknown) => unknown,
  text: string,
  at: number,
): object {
  const said =
    how === 'body'
      ? stored(answer(text))
      : how === 'text stream'
        ? stream(text).join('')
        : how === 'list stream'
          ? stream(text)
          : pieces(text);
  const beside = { ...(tools && { type: 'model' }), id: at };
  const question = stored(asked(`Question ${at}?`));
  if (!wrapped)
    return { ...beside, ...(http && { url: URL, method: 'POST', status: 200 }), [request]: question, [response]: said };
  return {
    ...beside,
    [request]: {
      ...(http && { url: URL, method: 'POST', headers: { 'content-type': 'application/json' } }),
      body: question,
    },
    [response]: { ...(http && { status: 200, headers: { 'content-type': 'application/json' } }), body: said },
  };
}

describe('a proposed layout', () => {
  afterEach(() => declareLayouts(ROOT, []));

  it('reads every message of a home-made format', () => {
    fc.assert(
      fc.property(homeMade, (made) => {
        const texts = ['Four degrees.', 'Windy, I fear.'];
        const text = fileOf(made, texts);
        const path = `calls/a.${made.container}`;
        const proposed = proposeLayout('mine', [path], text);
        assert.ok(proposed, text);
        const tape = declared(proposed.layout)(path, text);
        assert.equal(tape?.format, 'layout:mine', JSON.stringify(proposed));
        const calls = tape?.interactions.filter(({ kind }) => kind === 'llm') ?? [];
        assert.deepEqual(
          calls.map(({ response }) => response?.content),
          texts,
          JSON.stringify([proposed, text]),
        );
        assert.deepEqual(
          calls.map(({ request }) => request?.messages[0]?.content),
          ['Question 0?', 'Question 1?'],
        );
        if (made.tools)
          assert.equal(tape?.interactions.filter(({ kind }) => kind === 'tool').length, 2, JSON.stringify(proposed));
      }),
      { numRuns: 300 },
    );
  });

  it('changes a text where a body is as it was sent, and leaves the rest', () => {
    let edits = 0;
    fc.assert(
      fc.property(homeMade, (made) => {
        const text = fileOf(made, ['Four degrees.', 'Windy, I fear.']);
        const path = `calls/a.${made.container}`;
        const proposed = proposeLayout('mine', [path], text);
        assert.ok(proposed);
        declareLayouts(ROOT, [proposed.layout]);
        const file = tapeFileFromText(text, path);
        const format = declaredFormat(file);
        const tape = format?.read(file);
        const at = tape?.interactions.findIndex(({ response }) => response?.content === 'Four degrees.') ?? -1;
        const outcome = format?.editText?.(file, { type: 'response-text', interaction: at, text: 'Five "or" six.' });
        assert.ok(outcome && format);
        if ('refused' in outcome) return;
        edits += 1;
        const changed = applySplices(text, outcome.splices);
        const again = format.read(tapeFileFromText(changed, path));
        assert.deepEqual(again.problems, tape?.problems, changed);
        const said = (one: typeof tape) =>
          one?.interactions.map(({ request, response }) => [request, response?.content]);
        const expected = said(tape)?.map(([asked, answered], index) => [
          asked,
          index === at ? 'Five "or" six.' : answered,
        ]);
        assert.deepEqual(said(again), expected, changed);
      }),
      { numRuns: 150 },
    );
    assert.ok(edits > 40, `${edits} edits`);
  });

  it('is none of a file without calls', () => {
    for (const text of ['{"name":"a","version":"1.0.0","dependencies":{}}', '[]', 'hello', '{"a":[{"b":1}]}', ''])
      assert.equal(proposeLayout('mine', ['a.json'], text), undefined, text);
  });
});
