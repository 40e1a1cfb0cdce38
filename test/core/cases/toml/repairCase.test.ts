import assert from 'node:assert/strict';
import { readCase } from '../../../../src/core/cases/toml/readCase';
import { repairCase } from '../../../../src/core/cases/toml/repairCase';
import { applySplices } from '../../../../src/core/text/splice';

const HEAD = 'name = "a"\nprompt = "p"\n';

const BROKEN: Record<string, { readonly text: string; readonly titles: readonly string[] }> = {
  'a tape beside steps': {
    text: `${HEAD}[llm]\ntape = "t.json"\n[[llm.steps]]\ntype = "text"\ncontent = "x"\n[assert]\ncontains = "x"\n`,
    titles: ['Remove the script', 'Remove the tape'],
  },
  'a provider beside responses': {
    text: `${HEAD}[llm]\nresponses = ["x"]\n[llm.provider]\nkind = "practice"\n`,
    titles: ['Remove the provider', 'Use a tape instead of the script'],
  },
  'a provider without a tape': {
    text: `${HEAD}[llm.provider]\nkind = "practice"\n`,
    titles: ['Add tape = "refund.tape.json"'],
  },
  'no name': { text: 'prompt = "p"\n[llm]\ntape = "t.json"\n', titles: ['Add name = "refund"'] },
  'no prompt': { text: 'name = "a"\n[llm]\ntape = "t.json"\n', titles: ['Add prompt = ""'] },
  'an unknown provider': {
    text: `${HEAD}[llm]\ntape = "t.json"\n[llm.provider]\nkind = "practise"\n`,
    titles: ['Change to "open_ai_compatible"', 'Change to "ollama"', 'Change to "practice"', 'Change to "vscode_lm"'],
  },
};

describe('repairing a case', () => {
  for (const [what, { text, titles }] of Object.entries(BROKEN)) {
    it(`offers ways out of ${what}, each of which works`, () => {
      const [problem] = readCase(text).problems;
      assert.ok(problem);
      const repairs = repairCase(text, problem, 'refund');
      assert.deepEqual(
        repairs.map(({ title }) => title),
        titles,
      );
      for (const { title, splices } of repairs) {
        const messages = readCase(applySplices(text, splices)).problems.map(({ message }) => message);
        const next = title === 'Change to "open_ai_compatible"' ? ['open_ai_compatible needs `base_url`'] : [];
        assert.deepEqual(messages, next, title);
      }
    });
  }

  it('offers nothing where only the writer knows, or where the text does not parse', () => {
    const [problem] = readCase(`${HEAD}tags = 3\n`).problems;
    assert.ok(problem);
    assert.deepEqual(repairCase(HEAD, problem, 'x'), []);
    assert.deepEqual(repairCase('name = ', { ...problem, code: 'missing:prompt' }, 'x'), []);
  });
});
