import assert from 'node:assert/strict';
import { listTape } from '../../../src/core/project/listTape';
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
});
