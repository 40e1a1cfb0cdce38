import assert from 'node:assert/strict';
import { readCase } from '../../../../src/core/cases/toml/readCase';
import { takesToolResults, writeToolResults } from '../../../../src/core/cases/toml/writeToolResults';
import { LineIndex } from '../../../../src/core/text/source';
import { asTomlHasIt } from '../../../../src/core/toml/writeToml';

const TOOL = `name = "n"
prompt = "p"
[[tools]]
name = "weather"
description = "Looks the weather up."
schema = { type = "object", properties = { city = { type = "string" } }, required = ["city"] }
`;

/** As `line:column message`. */
function problems(more: string): readonly string[] {
  const text = `${TOOL}${more}`;
  const lines = new LineIndex(text);
  return readCase(text).problems.map(({ message, span }) => {
    const { line, column } = lines.position(span.start);
    return `${line}:${column} ${message}`;
  });
}

describe('the results of a tool by arguments', () => {
  it('are read with their match and what recordings call', () => {
    const text = `${TOOL}match = "subset"
command = ["python3", "weather.py"]
pass_env = ["WEATHER_KEY"]
[[tools.results]]
arguments = { city = "Paris" }
result = { degrees = 18.50 }
[[tools.results]]
arguments = { city = "Nowhere" }
error = "there is no such city"
`;
    const [tool] = readCase(text).value?.tools ?? [];
    assert.deepEqual(tool?.results, [
      { arguments: { city: 'Paris' }, output: { degrees: 18.5 } },
      { arguments: { city: 'Nowhere' }, error: 'there is no such city' },
    ]);
    assert.equal(tool?.match, 'subset');
    assert.deepEqual(tool?.source, {
      kind: 'command',
      command: ['python3', 'weather.py'],
      passedVariables: ['WEATHER_KEY'],
    });
    const mcp = readCase(`${TOOL}mcp = { config = ".mcp.json", server = "sky" }\n`).value?.tools[0]?.source;
    assert.deepEqual(mcp, { kind: 'mcp', config: '.mcp.json', server: 'sky', tool: 'weather' });
    assert.deepEqual(readCase(text).problems, []);
  });

  it('report conflicts, what is missing, and arguments that the tool does not take, at their place', () => {
    const result = '[[tools.results]]\narguments = { city = "Paris" }\n';
    assert.deepEqual(problems(`result = 1\n${result}result = 2\n`), [
      '7:10 `result` cannot be combined with `results`',
    ]);
    assert.deepEqual(problems('command = ["a"]\nresult = 1\n'), ['8:10 `result` cannot be combined with `command`']);
    assert.deepEqual(problems('command = ["a"]\nmcp = { config = "c", server = "s" }\n'), [
      '8:7 a tool can have a `command` or an `mcp`, not both',
    ]);
    assert.deepEqual(problems('command = []\n'), ['7:11 `command` does not name a program']);
    assert.deepEqual(problems('mcp = { config = "c" }\n'), ['7:7 missing field `server`']);
    assert.deepEqual(problems('match = "keyed"\n'), ['7:9 unknown match: keyed']);
    assert.deepEqual(problems(result), ['7:3 one of [[tools.results]] has neither a `result` nor an `error`']);
    assert.deepEqual(problems(`${result}result = 1\nerror = "e"\n`), ['10:9 `result` cannot be combined with `error`']);
    const [misfit] = problems('[[tools.results]]\narguments = { town = "Paris" }\nresult = 1\n');
    assert.match(misfit ?? '', /^8:13 the arguments do not match the schema of `weather`: .*city/);
  });
});

describe('writing the results of tools into a case', () => {
  const CASE = `# Ours
${TOOL}[tools.schema2]
x = 1
[[tools.results]] # old
arguments = { city = "Old" }
result = "gone"

[[tools]]
name = "other"
description = ""
[[tools.results]]
result = "stays"

[llm] # the tape
tape = "t.tape.json"
`;
  const asked = { city: 'Paris', note: 'two\nlines', from: null, list: [null, 1] };
  const results = [
    { arguments: { city: 'A' }, output: 'first' },
    { arguments: asked, error: 'no "such" city' },
    { arguments: { city: 'A' }, output: 'second' },
    { arguments: { city: 'A' }, output: 'second' },
  ];

  it('replaces those of that tool, keeps all else, and is read as it was written', () => {
    for (const text of [CASE, CASE.replaceAll('\n', '\r\n')]) {
      const written = writeToolResults(text, [{ index: 0, results }]);
      const tools = readCase(written).value?.tools ?? [];
      assert.deepEqual(tools[0]?.results, [
        results[0],
        { arguments: asTomlHasIt(asked), error: 'no "such" city' },
        results[2],
      ]);
      assert.deepEqual(tools[1]?.results, [{ arguments: {}, output: 'stays' }]);
      assert.ok(written.startsWith('# Ours') && written.includes('[llm] # the tape') && !written.includes('gone'));
      assert.equal(writeToolResults(written, [{ index: 0, results }]), written);
      if (text.includes('\r\n')) assert.doesNotMatch(written.replaceAll('\r\n', ''), /[\r\n](?!lines)/);
    }
  });

  it('takes the old ones away where there are none, and tells an inline tool', () => {
    const [tool] = readCase(writeToolResults(CASE, [{ index: 0, results: [] }])).value?.tools ?? [];
    assert.equal(tool?.results, undefined);
    assert.ok(takesToolResults(CASE, 1));
    assert.ok(!takesToolResults('tools = [{ name = "a" }]\n', 0));
  });
});
