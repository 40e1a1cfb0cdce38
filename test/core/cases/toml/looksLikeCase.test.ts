import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { looksLikeCase } from '../../../../src/core/cases/toml/looksLikeCase';
import { corpusSuite } from '../../../corpus';

const CASE = `# a case
name = "weather"
prompt = "How is the weather?"
expected_text = "sunny"

[llm]
tape = "weather.tape.json"

[assert]
contains = "sunny"
`;

describe('looksLikeCase', () => {
  const cases: Record<string, string> = {
    'the smallest case': 'name = "n"\nprompt = "p"',
    'a case with input': '\n  name = "n"\n\tinput="p"\n',
    'a case with CRLF line ends': 'name = "n"\r\nprompt = "p"\r\n',
    'a case with a byte order mark': '\uFEFFname = "n"\nprompt = "p"\n',
    'a case whose name is missing': 'prompt = "p"\n[llm]\nresponses = ["r"]\n',
    'a case whose prompt is missing': 'name = "n"\n[[llm.steps]]\ntype = "text"\n',
    'a case with only assertions so far': 'name = "n"\n[assert]\n',
    'a case with tools first': 'name = "n"\n[[tools]]\nname = "t"\n[ llm ]\n',
    'a case with dotted keys': 'name = "n"\nllm.tape = "t"\n',
    'a case with an unclosed string': 'name = "n"\nprompt = "p\n[llm]\n',
    'a case with an unfinished table': 'name = "n"\nprompt = "p"\n[ll\n',
    'a case with a bracket in its prompt': 'name = "n"\nprompt = """\n[INST] hello\n"""\n',
    'a case with a bracket in a text before its prompt': 'name = """\n[x]\n"""\nprompt = "p"\n[llm]\n',
  };
  for (const [title, text] of Object.entries(cases)) it(`knows ${title}`, () => assert.ok(looksLikeCase(text)));

  const others: Record<string, string> = {
    'an empty file': '',
    'Cargo.toml': '[package]\nname = "crate"\nversion = "0.1.0"\n\n[dependencies]\nserde = "1"\n',
    'a Cargo workspace': '[workspace]\nmembers = ["a"]\n[workspace.dependencies]\n',
    'pyproject.toml': '[build-system]\nrequires = []\n[project]\nname = "p"\n[tool.pytest.ini_options]\ninput = "x"\n',
    'tapedeck.toml': '[provider]\nkind = "practice"\n',
    'tapedeck.toml with comments': '# name = "x"\n# prompt = "y"\n[provider]\nkind = "ollama"\n[llm]\n',
    'a Gemini CLI command': 'description = "Review"\nprompt = """\nReview {{args}}\n"""\n',
    'an agent configuration': 'name = "bot"\n[model]\nprovider = "openai"\n',
    'tables that only begin alike': 'name = "n"\n[llm-models]\nx = 1\n[assertions]\n',
    'a Netlify configuration': '[build]\ncommand = "npm run build"\n[[redirects]]\nfrom = "/"\n',
    'a scenario of MoFA pull request 1600': 'agent_id = "a"\ntools = []\n[[turns]]\nuser = "hi"\n',
    'keys that only begin alike': 'names = "n"\nprompts = "p"\nllms = 1\n',
    'a name inside a table': '[agent]\nname = "a"\nprompt = "p"\n',
    JSON: '{"name": "n", "prompt": "p"}',
  };
  for (const [title, text] of Object.entries(others))
    it(`does not take ${title} for one`, () => assert.ok(!looksLikeCase(text)));

  it('stays decided while the rest is typed', () => {
    const first = [...CASE].findIndex((_, end) => looksLikeCase(CASE.slice(0, end)));
    assert.ok(first > 0 && first <= CASE.indexOf('"How is'));
    for (let end = first; end <= CASE.length; end += 1) assert.ok(looksLikeCase(CASE.slice(0, end)), `${end}`);
  });

  it('survives the loss of any one line', () => {
    const lines = CASE.split('\n');
    for (const gone of lines.keys()) {
      const text = lines.filter((_, index) => index !== gone).join('\n');
      assert.ok(looksLikeCase(text), lines[gone]);
    }
  });
});

corpusSuite('looksLikeCase on the MoFA corpus', (folder) => {
  const examples = join(folder, 'mofa-project/tests/examples');
  for (const file of readdirSync(examples).filter((name) => name.endsWith('.toml')))
    it(`knows ${file}`, () => assert.ok(looksLikeCase(readFileSync(join(examples, file), 'utf8'))));

  it('does not take the scenario of another MoFA runner for one', () => {
    const scenario = join(folder, 'mofa/mofa-org+mofa/examples__agent_test_dsl__scenario_follow_up.toml');
    assert.ok(!looksLikeCase(readFileSync(scenario, 'utf8')));
  });
});
