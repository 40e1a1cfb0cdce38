import assert from 'node:assert/strict';
import fc from 'fast-check';
import { caseKindOf, caseKinds } from '../../../src/core/cases/registry';

/** One file of each kind, and the cases that it lists. */
const SAMPLES: Record<string, readonly [path: string, text: string, cases: readonly string[]]> = {
  toml: ['a.toml', 'name = "a"\nprompt = "p"\ntags = ["x"]\n[llm]\ntape = "t.json"\nrecord_tape = "r.json"\n', ['a']],
  'mofa-agent-scenario': [
    's.yaml',
    'template: {agent_id: a, turns: [{user: "{{w}}"}]}\nmatrix: {dimensions: {w: [x, y]}}\n'
      .replace('{agent_id: a, turns', '\n  agent_id: a\n  turns')
      .replace('}]}\n', '}]\n'),
    ['w=x a: w=x', 'w=y a: w=y'],
  ],
  'mofa-scenario': ['b.json', '{"suite_name": "s", "prompts": ["p"], "llm": {"fallback": "f"}}', ['s']],
  'mofa-assertions': ['c.yaml', '- kind: contains_all_facts\n  facts: [a]\n', ['c']],
  'mofa-golden': [
    'g.golden.json',
    '{"test_name": "g", "turns": [{"user_input": "u", "response": "r", "tool_calls": []}]}',
    ['g'],
  ],
  'flakestorm-config': [
    'flakestorm.yaml',
    'agent: {endpoint: "http://x"}\ngolden_prompts: [p]\ninvariants: [{type: valid_json}]\nchaos: {llm_faults: [{mode: empty}]}\ncontract: {name: c}\nreplays:\n  sessions:\n    - {id: i, input: x}\n  sources:\n    - {type: langsmith_run, run_id: r}\n',
    [
      'prompts golden prompts',
      'chaos golden prompts under chaos',
      'contract c',
      'session:i i',
      'source:1 LangSmith run r',
    ],
  ],
  'flakestorm-profile': ['p.yaml', 'name: p\nchaos:\n  llm_faults:\n    - mode: empty\n', ['p']],
  'flakestorm-session': ['r.yaml', 'id: r\ninput: hi\ncontract: c\n', ['r']],
  loader: ['l.scenario.json', '{"prompt": "p", "completions": [], "streams": []}', ['l']],
};

describe('the kinds of cases', () => {
  for (const [id, [path, text, cases]] of Object.entries(SAMPLES)) {
    it(`${id} knows its files, alone, and lists their cases`, () => {
      assert.deepEqual(
        caseKinds.filter((kind) => kind.looksLike(text, path)).map((kind) => kind.id),
        [id],
      );
      const { cases: listed = [], problems = [] } = caseKindOf(text, path)?.list(text, path) ?? {};
      assert.deepEqual(problems, []);
      assert.deepEqual(
        listed.map((one) => [one.id, one.name].filter((part) => part !== undefined).join(' ')),
        cases,
      );
      for (const { span } of listed) assert.ok(span.start >= 0 && span.end <= text.length && span.start <= span.end);
    });
  }

  it('never throw, however damaged a file is', () => {
    const sample = fc.constantFrom(...Object.values(SAMPLES));
    const damage = fc.array(
      fc.tuple(fc.nat(400), fc.nat(6), fc.constantFrom('', '{', '[', ':', '"', '\n', '- ', '\u0000', '{{')),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(sample, damage, ([path, text], edits) => {
        let damaged = text;
        for (const [at, length, put] of edits) damaged = damaged.slice(0, at) + put + damaged.slice(at + length);
        for (const kind of caseKinds) {
          kind.looksLike(damaged, path);
          const { cases, problems } = kind.list(damaged, path);
          for (const { span } of [...cases, ...problems]) assert.ok(span.start <= span.end);
        }
      }),
      { numRuns: 400 },
    );
  });
});
