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

const TOOLS = '[[tools]]\nname = "lookup_order"\ndescription = "d"\nschema = { type = "object" }\n';

/** Each is a warning with one way out. */
const IDLE: Record<string, { readonly text: string; readonly marked: string; readonly title: string }> = {
  'an assertion that does not exist': {
    text: `${HEAD}[assert]\ncontain = "x"\n`,
    marked: 'contain',
    title: 'Change to contains',
  },
  'a misspelt key': {
    text: `${HEAD}[llm]\ntape = "t"\n[llm.replay]\non_drfit = "warn"\n`,
    marked: 'on_drfit',
    title: 'Change to on_drift',
  },
  'a misspelt table': { text: `${HEAD}[asert]\ncontains = "x"\n`, marked: 'asert', title: 'Change to assert' },
  'a second expected text': {
    text: `expected_text = "y"\n${HEAD}[assert]\ncontains = "x"\n`,
    marked: 'expected_text',
    title: 'Remove expected_text',
  },
  'a tool that must be called and is not declared': {
    text: `${HEAD}${TOOLS}[assert]\ntool_called = "lookup_ordr"\n`,
    marked: '"lookup_ordr"',
    title: 'Change to "lookup_order"',
  },
  'a tool in an order': {
    text: `${HEAD}${TOOLS}[assert]\ntool_order = ["lookup_order", "lookup_ordr"]\n`,
    marked: '"lookup_ordr"',
    title: 'Change to "lookup_order"',
  },
  'a tool that a script calls': {
    text: `${HEAD}${TOOLS}[[llm.steps]]\ntype = "tool_call"\ntool = "lookup_ordr"\n`,
    marked: '"lookup_ordr"',
    title: 'Change to "lookup_order"',
  },
};

describe('what has no effect in a case', () => {
  for (const [what, { text, marked, title }] of Object.entries(IDLE)) {
    it(`is a warning where it is written, with a way out: ${what}`, () => {
      const [problem, ...others] = readCase(text).problems;
      assert.ok(problem);
      assert.deepEqual(others, []);
      assert.equal(problem.severity, 'warning');
      assert.equal(text.slice(problem.span.start, problem.span.end), marked);
      const [repair] = repairCase(text, problem, 'x');
      assert.equal(repair?.title, title);
      assert.deepEqual(readCase(applySplices(text, repair.splices)).problems, []);
    });
  }

  it('is an assertion that cannot fail', () => {
    const messages = readCase(`${HEAD}[assert]\ncontains = ""\ntool_order = []\n`).problems.map(
      ({ message }) => message,
    );
    assert.deepEqual(messages, ['`contains` is empty, so it never fails', '`tool_order` is empty, so it never fails']);
  });

  it('is not a tool of an agent of your own, which a case does not know', () => {
    const text = `${HEAD}[agent]\ncommand = ["a"]\n[assert]\ntool_called = "any"\n`;
    assert.deepEqual(readCase(text).problems, []);
  });

  it('are arguments that the tool does not take', () => {
    const tool = TOOLS.replace(
      '{ type = "object" }',
      '{ type = "object", required = ["order"], properties = { order = { type = "string" } } }',
    );
    const call = (rest: string) => `${HEAD}${tool}[[llm.steps]]\ntype = "tool_call"\ntool = "lookup_order"\n${rest}`;
    const problemsOf = (text: string) =>
      readCase(text).problems.map(({ severity, message }) => `${severity}: ${message}`);
    const refused = 'warning: the arguments do not match the schema of `lookup_order`: ';
    assert.deepEqual(problemsOf(call('arguments = { order = 4711 }\n')), [
      `${refused}$.order is not of type string: 4711`,
    ]);
    assert.deepEqual(problemsOf(call('')), [`${refused}$ has no order`]);
    assert.deepEqual(problemsOf(call('arguments = { order = "4711" }\n')), []);
  });
});

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
