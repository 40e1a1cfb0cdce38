import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Json } from '../../../src/core/json/json';
import type { ChatResponse, ToolDefinition } from '../../../src/core/model/message';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { OFFLINE } from '../../../src/engine/network/policy';
import { createLive, createScripted } from '../../../src/engine/providers/createProvider';
import { practiceArguments } from '../../../src/engine/providers/practiceArguments';
import { caseOf, failureOf, inFolder, NEVER, providerOf, RECORDER, replayOf, requestOf } from '../../harness/support';

const request = requestOf('hello');

describe('the scripted provider', () => {
  const script = `name = "n"
    prompt = "p"
    [llm]
    steps = [
      { type = "tool_call", tool = "a", arguments = { x = 1 } },
      { type = "tool_call", tool = "b", content = "One moment." },
      { type = "text", content = "done" },
    ]`;

  it('plays the steps in order, with the same call ids every time', async () => {
    const tools = ['a', 'b'].map((name) => `[[tools]]\nname = "${name}"\ndescription = "d"\nresult = "ok"\n`).join('');
    const provider = createScripted(caseOf(`${script}\n${tools}`));
    const answers: ChatResponse[] = [];
    for (let count = 0; count < 3; count += 1) answers.push(await provider.chat(request, NEVER));
    assert.deepEqual(answers, [
      { content: null, toolCalls: [{ id: 'call_1', name: 'a', arguments: { x: 1 } }] },
      { content: 'One moment.', toolCalls: [{ id: 'call_2', name: 'b', arguments: {} }] },
      { content: 'done', toolCalls: [] },
    ]);
  });

  it('fails after the last step', async () => {
    const one = caseOf('name = "n"\nprompt = "p"\n[llm]\nresponses = ["only"]');
    const strict = createScripted(one);
    await strict.chat(request, NEVER);
    const error = await failureOf(strict.chat(request, NEVER));
    assert.equal(error.kind, 'replay');
    assert.equal(error.message, 'script exhausted after 1 response');
    assert.match(error.fix, /steps/);
    const empty = createScripted(caseOf('name = "n"\nprompt = "p"'));
    assert.equal((await failureOf(empty.chat(request, NEVER))).message, 'script exhausted after 0 responses');
  });
});

describe('the replay provider', () => {
  const two = mofaFormat.serialise('n', [
    { request, response: { content: 'one', toolCalls: [] } },
    { request, response: { content: '', toolCalls: [{ id: 'x', name: 'a', arguments: { big: 9007199254740993n } }] } },
  ]);

  async function onTape(text: string, test: (path: string) => Promise<void>): Promise<void> {
    await inFolder(async (folder) => {
      const path = join(folder, 't.tape.json');
      await writeFile(path, text);
      await test(path);
    });
  }

  it('responds in the order of the tape to what was recorded', async () => {
    await onTape(two, async (path) => {
      const provider = await replayOf(path);
      assert.equal(provider.label, `tape ${path}`);
      const drift = await failureOf(provider.chat(requestOf('something else'), NEVER));
      assert.match(drift.message, /it differs from interaction 1 in one place/);
      assert.equal((await provider.chat(request, NEVER)).content, 'one');
      const { toolCalls } = await provider.chat(request, NEVER);
      assert.deepEqual(toolCalls, [{ id: 'x', name: 'a', arguments: { big: 9007199254740993n } }]);
      const error = await failureOf(provider.chat(request, NEVER));
      assert.equal(error.kind, 'replay');
      assert.equal(error.message, 'replay exhausted after 2 interactions');
      assert.ok(error.fix.includes(path) && /re-record/.test(error.fix));
    });
  });

  it('says that a tape without interactions is empty', async () => {
    await onTape(mofaFormat.serialise('n', []), async (path) => {
      const error = await failureOf((await replayOf(path)).chat(request, NEVER));
      assert.equal(error.message, 'tape has no interactions');
      assert.ok(error.fix.includes(path));
    });
  });

  it('says that there is no recording yet, or that a tape cannot be read', async () => {
    await inFolder(async (folder) => {
      const missing = join(folder, 'missing.tape.json');
      const absent = await failureOf(replayOf(missing));
      assert.equal(absent.message, 'No recording yet: missing.tape.json does not exist');
      assert.equal(absent.kind, 'replay');
      assert.equal(absent.details.missingTape, missing);

      await mkdir(join(folder, 'folder'));
      const directory = await failureOf(replayOf(join(folder, 'folder')));
      assert.equal(directory.message, `${join(folder, 'folder')}: this is a folder, not a file`);
      assert.equal(directory.kind, 'case');
    });
  });

  it('names the place where a tape is broken', async () => {
    const broken = two.replace('"response": "one"', '"response": null');
    const line = broken.split('\n').findIndex((text) => text.includes('"response": null')) + 1;
    const texts: readonly (readonly [string, RegExp])[] = [
      [two.slice(0, 60), /^failed to parse tape JSON: .* at line 5 column \d+$/],
      [broken, new RegExp(`^failed to parse tape JSON: .response. must be a string at line ${line} column \\d+$`)],
      ['[1, 2]', /^failed to parse tape JSON: .* at line 1 column 1$/],
      ['', /^failed to parse tape JSON: .* at line 1 column 1$/],
    ];
    for (const [text, message] of texts) {
      await onTape(text, async (path) => {
        const error = await failureOf(replayOf(path));
        assert.match(error.message, message);
        assert.equal(error.kind, 'case');
        assert.match(error.fix, /t\.tape\.json:\d+:\d+: /);
      });
    }
  });
});

describe('the practice provider', () => {
  const weather: ToolDefinition = {
    name: 'weather',
    schema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' }, note: { type: 'string' } },
      required: ['city', 'days'],
    },
  };
  const practising = (seed: number, toml = 'kind = "practice"') =>
    createLive(providerOf(toml), { seed, recorder: RECORDER, network: OFFLINE });

  it("calls the first tool with the user's words, and then says what the tool said", async () => {
    const asked = requestOf('What will the weather in Berlin be for 3 days?', [weather, { name: 'other' }]);
    const first = await (await practising(0)).chat(asked, NEVER);
    const call = { id: 'call_1', name: 'weather', arguments: { city: 'Berlin', days: 3 } };
    assert.deepEqual(first.toolCalls, [call]);
    const result = { role: 'tool', content: '{"sky":"sunny"}', toolCalls: [], toolCallId: 'call_1' };
    const messages = [...asked.messages, { role: 'assistant', content: null, toolCalls: [call] }, result];
    const second = await (await practising(0)).chat({ ...asked, messages }, NEVER);
    assert.deepEqual(second.toolCalls, []);
    assert.ok(second.content?.includes('weather says: {"sky":"sunny"}.'), second.content ?? '');
  });

  it('quotes the prompt when there are no tools, and counts tokens', async () => {
    const { content, usage } = await (await practising(3)).chat(requestOf('hello there'), NEVER);
    assert.ok(content?.includes('“hello there”'));
    assert.deepEqual(usage, {
      promptTokens: 3,
      completionTokens: Math.ceil((content?.length ?? 0) / 4),
      totalTokens: 3 + Math.ceil((content?.length ?? 0) / 4),
    });
  });

  it('is deterministic, and says it in other words with the next seed', async () => {
    const answer = async (seed: number) => (await (await practising(seed)).chat(request, NEVER)).content;
    const answers: (string | null)[] = [];
    for (let seed = 0; seed < 12; seed += 1) {
      answers.push(await answer(seed));
      assert.equal(await answer(seed), answers[seed]);
      if (seed > 0) assert.notEqual(answers[seed], answers[seed - 1]);
    }
    assert.ok(new Set(answers).size >= 4);
  });

  it("prefers the case's seed", async () => {
    const fixed = 'kind = "practice"\nseed = 2';
    assert.deepEqual(
      await (await practising(0, fixed)).chat(request, NEVER),
      await (await practising(2)).chat(request, NEVER),
    );
  });

  it('makes up arguments of every kind', () => {
    const schema = {
      type: 'object',
      required: [
        'from',
        'to',
        'unit',
        'when',
        'query',
        'max',
        'strict',
        'tags',
        'who',
        'kind',
        'either',
        'page',
        'free',
      ],
      properties: {
        from: { type: 'string' },
        to: { type: ['null', 'string'] },
        unit: { enum: ['kelvin', 'celsius'] },
        when: { type: 'string', format: 'date' },
        query: { type: 'string' },
        max: { type: 'integer', maximum: 5 },
        strict: { type: 'boolean' },
        tags: { type: 'array', items: { enum: ['x'] }, minItems: 2 },
        who: { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } },
        kind: { const: 7 },
        either: { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
        page: { type: 'integer', minimum: 4 },
      },
    };
    const prompt = 'Compare Berlin with New York, in celsius, at most 8 rows.';
    assert.deepEqual(practiceArguments(schema, prompt), {
      from: 'Berlin',
      to: 'New York',
      unit: 'celsius',
      when: '2026-01-01',
      query: prompt,
      max: 5,
      strict: true,
      tags: ['x', 'x'],
      who: { name: 'Com' },
      kind: 7,
      either: true,
      page: 4,
      free: 'Compare',
    });
  });

  it('takes a number for what is named by one', () => {
    const schema = { properties: { order_id: { type: 'string' }, city: { type: 'string' } } };
    assert.deepEqual(practiceArguments(schema, 'Where is order 4711, bound for Berlin?'), {
      order_id: '4711',
      city: 'Berlin',
    });
  });

  it('makes something of any schema and any prompt', () => {
    const wild = fc.oneof(fc.jsonValue(), fc.constantFrom('object', 'string', 'array', 'integer', 1e300, -1, ['x']));
    const keys = [
      'type',
      'required',
      'items',
      'minItems',
      'minLength',
      'maxLength',
      'minimum',
      'enum',
      'anyOf',
      'format',
    ];
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof({ maxDepth: 4 }, wild, tie('table')),
      table: fc
        .tuple(fc.dictionary(fc.constantFrom(...keys), wild), fc.dictionary(fc.string(), tie('schema')))
        .map(([own, properties]) => ({ ...own, properties })),
    }));
    fc.assert(
      fc.property(schema, fc.string(), (any, prompt) => {
        const args = practiceArguments(any as Json, prompt);
        assert.equal(JSON.stringify(args), JSON.stringify(practiceArguments(any as Json, prompt)));
      }),
    );
  });
});
