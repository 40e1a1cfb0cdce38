import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CaseSurroundings, completeCase, describeKey } from '../../../../src/core/cases/toml/languageFeatures';
import { readCase } from '../../../../src/core/cases/toml/readCase';
import { filledIn } from '../../../harness/snippets';

const AROUND: CaseSurroundings = {
  tapes: ['../tapes/a.tape.json', '../tapes/b "quoted".json'],
  takenTapes: [],
  name: 'refund',
  isAtRoot: false,
};
const HEAD = 'name = "a"\nprompt = "p"\n';

/** The text with `|` where the cursor is. */
function complete(marked: string) {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const offered = completeCase(text, offset, AROUND);
  const apply = (label: string): string => {
    const chosen = offered.find((candidate) => candidate.label === label);
    assert.ok(chosen, `${label} of ${offered.map((candidate) => candidate.label).join(', ')}`);
    return text.slice(0, chosen.replaces.start) + filledIn(chosen.insert) + text.slice(chosen.replaces.end);
  };
  return { labels: offered.map(({ label }) => label), apply };
}

describe('completing a case', () => {
  it('makes a whole case of an empty file, which is in order as it comes', () => {
    const { value, problems } = readCase(complete('|').apply('Tapedeck case'));
    assert.deepEqual(problems, []);
    assert.equal(value?.name, 'refund');
    assert.equal(value?.llm.tape, '../tapes/refund.tape.json');
    assert.equal(value?.llm.provider?.kind, 'practice');
    assert.equal(complete('case|').apply('Tapedeck case'), complete('|').apply('Tapedeck case'));
  });

  it("points a new case at a tape of its own, never at another case's", () => {
    const tapeOf = (around: Partial<CaseSurroundings>) => {
      const [whole] = completeCase('', 0, { ...AROUND, ...around });
      return readCase(filledIn(whole?.insert ?? '')).value?.llm.tape;
    };
    assert.equal(tapeOf({ tapes: [] }), '../tapes/refund.tape.json');
    assert.equal(tapeOf({ tapes: [], isAtRoot: true }), 'tapes/refund.tape.json');
    assert.equal(tapeOf({ tapes: ['../tests/cassettes/x.yaml'] }), '../tapes/refund.tape.json');
    assert.equal(tapeOf({ tapes: ['../../a/t/x.tape.json', '../t/x.tape.json'] }), '../t/refund.tape.json');
    assert.equal(tapeOf({ tapes: ['../tapes/refund.tape.json'] }), '../tapes/refund-2.tape.json');
    assert.equal(
      tapeOf({ tapes: ['../tapes/refund.tape.json'], takenTapes: ['../tapes/refund-2.tape.json'] }),
      '../tapes/refund-3.tape.json',
    );
    assert.equal(tapeOf({ tapes: [], name: 'a"b\\c' }), '../tapes/a"b\\c.tape.json');
  });

  it('keeps out of the TOML of others', () => {
    assert.deepEqual(complete('[package]\nname = "x"\n|').labels, []);
    assert.deepEqual(complete('[project]\nname = "x"\n[tool.|').labels, []);
  });

  it('offers the keys that a table does not have yet', () => {
    const tables = [
      '[[bootstrap_files]]',
      '[agent]',
      '[agent.env]',
      '[[tools]]',
      '[llm]',
      '[[llm.steps]]',
      '[llm.provider]',
    ];
    const normalise = ['[normalise]', '[[normalise.patterns]]'];
    const atEnd = [...tables, '[llm.replay]', '[assert]', '[[assert.tool_args]]', ...normalise];
    assert.deepEqual(complete(`${HEAD}|`).labels, ['input', 'expected_text', 'tags', ...atEnd]);
    assert.deepEqual(complete(`${HEAD}[llm]\nta|\nrecord_tape = "x"\n[assert]\n`).labels, [
      'tape',
      'responses',
      ...atEnd.filter((name) => name !== '[llm]' && name !== '[assert]'),
    ]);
    assert.equal(complete(`${HEAD}[assert]\nto|`).apply('tool_called'), `${HEAD}[assert]\ntool_called = ""`);
    assert.ok(complete(`${HEAD}[[tools]]\nname = "x"\n|`).labels.includes('result'));
  });

  it('offers the results of a tool, and in one the arguments that the tool takes', () => {
    const tool = `${HEAD}[[tools]]\nname = "x"\nschema = { properties = { city = { type = "string", enum = ["Oslo"] } } }\n`;
    assert.ok(complete(`${tool}|`).labels.includes('[[tools.results]]'));
    assert.ok(!complete(`${HEAD}[|`).labels.includes('[[tools.results]]'), 'there is no tool above');
    assert.deepEqual(complete(`${tool}match = |\n`).labels, ['"exact"', '"subset"']);
    assert.deepEqual(complete(`${tool}[[tools.results]]\n|\n[llm]\n[assert]\n`).labels.slice(0, 3), [
      'arguments',
      'result',
      'error',
    ]);
    assert.deepEqual(complete(`${tool}[[tools.results]]\narguments = { | }\n`).labels, ['city']);
    assert.deepEqual(complete(`${tool}[[tools.results]]\narguments = { city = "|" }\n`).labels, ['"Oslo"']);
    assert.match(describeKey(`${tool}[[tools.results]]\n`, tool.length + 5)?.about ?? '', /Recordings write them/);
  });

  it('offers the assertions about steps, with the declared tools and their arguments', () => {
    const schema = '{ properties = { order = { type = "string", enum = ["4711"] } } }';
    const tools = `${HEAD}[[tools]]\nname = "lookup"\ndescription = "d"\nschema = ${schema}\n`;
    const keys = complete(`${tools}[assert]\n|`).labels;
    for (const key of ['tool_not_called', 'max_calls', 'max_cost', 'no_errors', 'each_tool_result_used'])
      assert.ok(keys.includes(key), key);
    assert.deepEqual(complete(`${tools}[assert]\ntool_not_called = ["|"]\n`).labels, ['"lookup"']);
    assert.equal(complete(`${tools}[assert]\nno|`).apply('no_errors'), `${tools}[assert]\nno_errors = true`);
    assert.deepEqual(complete(`${tools}[assert]\nno_errors = |\n`).labels, ['true', 'false']);
    const listed = complete(`${tools}[|`).apply('[[assert.tool_args]]');
    assert.equal(listed, `${tools}[[assert.tool_args]]\ntool = ""\n`);
    assert.deepEqual(complete(`${tools}[[assert.tool_args]]\ntool = |\n`).labels, ['"lookup"']);
    const named = `${tools}[[assert.tool_args]]\ntool = "lookup"\n`;
    assert.deepEqual(complete(`${named}|`).labels.slice(0, 3), ['call', 'arguments', 'schema']);
    assert.deepEqual(complete(`${named}arguments = { | }\n`).labels, ['order']);
    assert.deepEqual(complete(`${named}arguments = { order = | }\n`).labels, ['"4711"']);
    assert.match(describeKey(`${named}call = 1\n`, named.length + 1)?.about ?? '', /Which call of the tool, from 1/);
  });

  it('offers tables, with what each must have', () => {
    const text = complete(`${HEAD}[|`).apply('[[tools]]');
    assert.equal(text, `${HEAD}[[tools]]\nname = ""\ndescription = ""\nschema = {  }\n`);
    assert.ok(complete(`${HEAD}[|`).labels.includes('[llm.provider]'));
    assert.deepEqual(complete(`${HEAD}[[|]]`).labels, [
      '[[bootstrap_files]]',
      '[[tools]]',
      '[[llm.steps]]',
      '[[assert.tool_args]]',
      '[[normalise.patterns]]',
    ]);
    assert.equal(complete(`${HEAD}[l|]`).apply('[llm]'), `${HEAD}[llm]\n`);
  });

  it('offers the values that a key may have: choices, tapes, the tools of this case', () => {
    assert.deepEqual(complete(`${HEAD}[llm.provider]\nkind = |`).labels, [
      '"open_ai_compatible"',
      '"ollama"',
      '"practice"',
      '"vscode_lm"',
    ]);
    assert.deepEqual(complete(`${HEAD}[llm.provider]\nstream = t|`).labels, ['true', 'false']);
    assert.deepEqual(complete(`${HEAD}[llm]\ntape = "|"`).labels, [
      '"../tapes/a.tape.json"',
      '"../tapes/b \\"quoted\\".json"',
    ]);
    assert.equal(
      complete(`${HEAD}[llm]\ntape = "old|" # why`).apply('"../tapes/a.tape.json"'),
      `${HEAD}[llm]\ntape = "../tapes/a.tape.json" # why`,
    );
    const tools = '[[tools]]\nname = "lookup"\ndescription = "d"\n[[tools]]\ndescription = "d"\nname = "refund"\n';
    assert.deepEqual(complete(`${HEAD}${tools}[assert]\ntool_called = |`).labels, ['"lookup"', '"refund"']);
  });

  it('offers the declared tools wherever a tool is named, and their arguments by their schema', () => {
    const schema =
      '{ type = "object", properties = { order = { type = "string", enum = ["4711"] }, n = { type = "integer" } } }';
    const tools = `[[tools]]\nname = "lookup_order"\ndescription = "d"\nschema = ${schema}\n[[tools]]\nname = "refund"\n`;
    const step = '[[llm.steps]]\ntype = "tool_call"\ntool = "lookup_order"\n';
    assert.deepEqual(complete(`${HEAD}${tools}[assert]\ntool_order = ["refund", "|"]\n`).labels, [
      '"lookup_order"',
      '"refund"',
    ]);
    assert.equal(
      complete(`${HEAD}${tools}[assert]\ntool_order = |\n`).apply('"refund"'),
      `${HEAD}${tools}[assert]\ntool_order = ["refund"]\n`,
    );
    assert.deepEqual(complete(`${HEAD}${tools}[[llm.steps]]\ntype = "tool_call"\ntool = "l|"\n`).labels, [
      '"lookup_order"',
      '"refund"',
    ]);
    assert.equal(
      complete(`${HEAD}${tools}${step}arguments = { | }\n`).apply('order'),
      `${HEAD}${tools}${step}arguments = { order = "" }\n`,
    );
    assert.deepEqual(complete(`${HEAD}${tools}${step}arguments = { order = "4711", | }\n`).labels, ['n']);
    assert.deepEqual(complete(`${HEAD}${tools}${step}[llm.steps.arguments]\nn = 1\n|\n`).labels.slice(0, 1), ['order']);
    assert.deepEqual(complete(`${HEAD}${tools}${step}arguments = { order = | }\n`).labels, ['"4711"']);
    const tables = `[[tools]]\nname = "t"\n[tools.schema.properties.city]\ntype = "string"\n`;
    assert.deepEqual(
      complete(`${HEAD}${tables}[[llm.steps]]\ntype = "tool_call"\ntool = "t"\narguments = { | }\n`).labels,
      ['city'],
    );
  });

  it('offers masks and the models of the price list', () => {
    assert.ok(complete(`${HEAD}[llm.replay]\nmask = ["uuid", |]\n`).labels.includes('"date"'));
    assert.ok(complete(`${HEAD}[normalise]\npresets = [|]\n`).labels.includes('"date"'));
    const provider = (kind: string) => `${HEAD}[llm.provider]\nkind = "${kind}"\nmodel = "|"\n`;
    assert.ok(complete(provider('open_ai_compatible')).labels.includes('"gpt-4o-mini"'));
    assert.deepEqual(complete(provider('ollama')).labels, []);
  });

  it('says nothing in comments and in texts', () => {
    assert.deepEqual(complete(`${HEAD}# a |`).labels, []);
    assert.deepEqual(complete(`name = "a"\nprompt = """\n[ll|\n"""\n`).labels, []);
    assert.deepEqual(complete(`${HEAD}[llm.provider]\nkind = "x" # a|`).labels, []);
  });

  it('answers before an empty first line', () => {
    const offered = completeCase(`\n${HEAD}[llm]`, 0, AROUND);
    assert.deepEqual(offered[0]?.replaces, { start: 0, end: 0 });
  });

  it('answers at any place of any text', () => {
    const line = fc.constantFrom(
      '[llm]',
      '[[tools]]',
      '[llm.',
      'name = ',
      'name = "a"',
      'prompt = """',
      '"""',
      'tape',
      'arguments = { a = "x", ',
      'tool_order = [',
      '"x", ]',
      '}',
      "'''",
      '# x',
      '',
    );
    fc.assert(
      fc.property(fc.array(line), fc.nat(), (lines, at) => {
        const text = lines.join('\n');
        const offset = Math.min(at, text.length);
        for (const { replaces } of completeCase(text, offset, AROUND)) {
          assert.ok(replaces.start <= offset && offset <= replaces.end && replaces.end <= text.length);
        }
      }),
    );
  });
});

describe('describing a key of a case', () => {
  it('names what it is for, its choices and its default', () => {
    const text = `${HEAD}[llm.provider]\nkind = "ollama"\n`;
    const found = describeKey(text, text.indexOf('kind') + 2);
    assert.equal(found?.title, 'llm.provider.kind');
    assert.ok(found.choices.includes('practice'));
    assert.equal(text.slice(found.span.start, found.span.end), 'kind');
    assert.equal(describeKey(text, text.indexOf('provider'))?.title, 'llm.provider');
    assert.equal(describeKey('[agent]\nmax_iterations = 3', 10)?.default, '10');
  });

  it('has nothing to say about values and keys of others', () => {
    assert.equal(describeKey(HEAD, HEAD.indexOf('"a"') + 1), undefined);
    assert.equal(describeKey(`${HEAD}other = 1`, HEAD.length + 1), undefined);
    assert.equal(describeKey('toString = 1', 2), undefined);
  });
});
