import assert from 'node:assert/strict';
import { listTape } from '../../../src/core/project/listTape';
import { originWords } from '../../../src/core/project/tapeOrigin';
import { SecretSearches } from '../../../src/core/secrets/secretSources';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';

const KEY = 'sk-proj-Q7mZp2Vt9XcLr4Ws8Yb1Nd6Kf3Hj5Gg0Ta';
const TAPE = { version: 1, case_name: 'x', interactions: [{ response: 'It is shipped.' }] };
const AIMOCK = { llm: { fixtures: 'fixtures/greeting.json', chaos: { dropRate: 0.1 } } };

const list = (path: string, text: string, rules?: Parameters<typeof listTape>[3]) =>
  listTape(path, text.length, async () => tapeFileFromText(text, path), rules);

describe('a file in the list of tapes', () => {
  it('is a tape if it has interactions, wherever it lies', async () => {
    const listed = await list('notes/odd.json', JSON.stringify(TAPE));
    assert.equal(listed?.interactions, 1);
    assert.equal(listed?.format, 'mofa');
  });

  it('says its model and when it was last recorded, by its first interactions and its last', async () => {
    const interaction = (model: string | undefined, at?: string) => ({ model, at });
    const listed = async (...interactions: ReturnType<typeof interaction>[]) => {
      const lines = interactions.flatMap(({ model, at }, number) => [
        {
          request: number,
          url: 'https://api.openai.com/v1/chat/completions',
          method: 'POST',
          at,
          json: { model, messages: [] },
        },
        { response: number, status: 200, json: { choices: [{ message: { role: 'assistant', content: 'y' } }] } },
      ]);
      const text = [{ tapedeck: 'tape', version: 1 }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
      const found = await list('tapes/a.tape.jsonl', text);
      return found && originWords(found, Date.parse('2026-11-23'));
    };
    const early = interaction('gpt-4o', '2026-02-01T10:00:00Z');
    assert.deepEqual(await listed(early), ['gpt-4o', '9 months ago']);
    const later = interaction('gpt-4o-mini', '2026-11-20T10:00:00Z');
    assert.deepEqual(await listed(early, early, early, early, later), ['gpt-4o', '2 days ago']);
    assert.deepEqual(await listed(interaction(undefined), interaction('a\u202eb')), ['a\\u202eb']);
    assert.deepEqual(await listed(interaction('x'.repeat(1000))), []);
  });

  it("is none if it is a recorder's configuration", async () => {
    assert.equal(await list('fixtures/chaos/config.json', JSON.stringify(AIMOCK)), undefined);
    assert.equal(await list('fixtures/mcp.json', JSON.stringify({ mcp: { tools: [] } })), undefined);
  });

  it('has the places of its problems and secrets, as an editor counts them', async () => {
    const search = new SecretSearches().of({ values: [], patterns: [] });
    const text = `${JSON.stringify({ ...TAPE, interactions: [{ response: `Use ${KEY}.` }] }, null, 2)}\n`;
    const listed = await list('tapes/a.tape.json', text, { search });
    const [secret] = listed?.secrets ?? [];
    assert.deepEqual(secret?.from, { line: 6, column: 24 });
    assert.deepEqual((await list('tapes/a.tape.json', text))?.secrets, []);
  });

  it('does not vanish when it is emptied or cut off where only tapes lie, or where something names it', async () => {
    const messages = async (path: string, text: string, isExpected?: true) =>
      (await list(path, text, { isExpected }))?.problems.map(({ message, severity }) => `${severity}: ${message}`);
    assert.deepEqual(await messages('tapes/a.json', ''), ['error: the file is empty']);
    assert.deepEqual(await messages('data/a.json', '', true), ['error: the file is empty']);
    assert.equal(await messages('data/a.json', ''), undefined);
    assert.match(String(await messages('cassettes/a.yaml', 'interactions:\n- request: {\n')), /^error: /);
    assert.equal(await messages('tapes/notes.json', '{"a": 1}'), undefined);
  });

  it('is one that is not understood where its name, a case, or its folder and its content say that it is a tape', async () => {
    const asked = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Weather?' }] };
    const said = { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Cold.' } }] };
    const own = JSON.stringify({ turns: [{ sent: asked, received: said }] });
    const told = async (path: string, text: string, isExpected?: true) => {
      const listed = await list(path, text, { isExpected });
      return listed && [listed.formatLabel, ...listed.problems.map(({ code, severity }) => `${severity} ${code}`)];
    };
    const describable = ['Unknown format', 'warning describable-format'];
    const foreign = ['Unknown format', 'warning unknown-format'];
    assert.deepEqual(await told('a/own.tape.json', own), describable);
    assert.deepEqual(await told('recordings/own.json', own), describable);
    assert.deepEqual(await told('data/own.json', own, true), describable);
    assert.equal(await told('data/own.json', own), undefined);
    assert.deepEqual(await told('a/own.tape.json', '{"a": 1}'), foreign);
    assert.deepEqual(await told('data/own.json', '{"a": 1}', true), foreign);
    assert.equal(await told('recordings/own.json', '{"a": 1}'), undefined);
  });

  it('is said to be like the format that it has most of, where it is in none', async () => {
    const fixOf = async (text: string) => (await list('a/own.tape.json', text))?.problems[0]?.fix ?? '';
    const said = { type: 'user', sessionId: 's', message: { role: 'user', content: 'Weather?' } };
    const nearly: readonly (readonly [string, RegExp])[] = [
      [
        JSON.stringify([{ scope: 'https://a.example', method: 'GET', path: '/', reply: 200 }]),
        /^The closest format is nock\.back fixture\. Missing: `\[\]\.response`\. See /,
      ],
      [
        `${JSON.stringify(said)}\n`.repeat(2),
        /^The closest format is Claude Code stream\. Missing: `session_id`\. See /,
      ],
    ];
    for (const [text, likeness] of nearly) assert.match(await fixOf(text), likeness);
    const log = { timestamp: 1, level: 'info', type: 'start', message: 'x' };
    const feature = { type: 'Feature', id: 1, properties: {} };
    for (const other of [log, { type: 'FeatureCollection', features: [feature] }, { name: 'x', version: '1' }])
      assert.doesNotMatch(await fixOf(JSON.stringify(other)), /The closest format/);
    for (const text of ['{"a": 1}', '{"id": 1, "name": "x"}', '[]', 'a: 1\n'])
      assert.doesNotMatch(await fixOf(text), /The closest format/);
  });
});
