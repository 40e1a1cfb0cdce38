import assert from 'node:assert/strict';
import { readCase } from '../../../src/core/cases/toml/readCase';
import type { CaseRules } from '../../../src/core/model/normalise';
import { commonCaseRules, withCaseRules } from '../../../src/core/review/caseRules';
import { DEFAULT_RULES } from '../../../src/core/review/compare/normaliser';
import { LineIndex } from '../../../src/core/text/source';

const CASE = 'name = "a"\nprompt = "p"\n[llm]\ntape = "t.json"\n';
const rulesIn = (toml: string): CaseRules | undefined => readCase(`${CASE}${toml}`).value?.normalise;

describe('the rules of a case', () => {
  it('are read as those of a project are, with nothing that is not written', () => {
    assert.equal(rulesIn(''), undefined);
    assert.deepEqual(rulesIn('[normalise]\n'), { presets: [], patterns: [], ignore: [] });
    const rules = rulesIn(
      '[normalise]\npresets = ["date"]\nignore = ["output_text"]\nusage_tolerance = 0.1\ntiming_tolerance = 2\n[[normalise.patterns]]\nname = "b"\npattern = "b[0-9]"\n',
    );
    const { patterns, ...others } = rules ?? {};
    assert.deepEqual(others, { presets: ['date'], ignore: ['output_text'], usageTolerance: 0.1, timingTolerance: 2 });
    assert.deepEqual(
      patterns?.map(({ name, pattern }) => [name, pattern.source]),
      [['b', 'b[0-9]']],
    );
  });

  it('are refused with their place', () => {
    for (const [toml, message] of [
      ['presets = ["dates"]', /unknown preset: dates/],
      ['usage_tolerance = "x"', /`usage_tolerance` must be a non-negative number/],
      ['[[normalise.patterns]]\nname = "b"\npattern = "("', /invalid regular expression/],
    ] as const) {
      const text = `${CASE}[normalise]\n${toml}\n`;
      const { value, problems } = readCase(text);
      assert.equal(value, undefined);
      assert.match(problems[0]?.message ?? '', message);
      assert.ok(new LineIndex(text).position(problems[0]?.span.start ?? 0).line > 5);
    }
    const { problems } = readCase(`${CASE}[normalise]\nignored = ["a"]\n`);
    assert.match(problems[0]?.message ?? '', /unknown key `ignored`/);
  });

  it('come besides those of the project; a tolerance takes its place', () => {
    const own = rulesIn('[normalise]\npresets = ["date", "uuid"]\nignore = ["a"]\nusage_tolerance = 0\n');
    const project = { ...DEFAULT_RULES, ignore: ['b'], usageTolerance: 0.2, timingTolerance: 1 };
    assert.deepEqual(withCaseRules(project, own), {
      presets: [...DEFAULT_RULES.presets, 'date'],
      patterns: [],
      ignore: ['b', 'a'],
      usageTolerance: 0,
      timingTolerance: 1,
    });
    assert.equal(withCaseRules(project, undefined), project);
  });

  it('of several are what all of them have', () => {
    const one = rulesIn(
      '[normalise]\npresets = ["date"]\nignore = ["a", "b"]\nusage_tolerance = 0.1\n[[normalise.patterns]]\nname = "x"\npattern = "x+"\n',
    );
    const other = rulesIn(
      '[normalise]\nignore = ["b", "c"]\nusage_tolerance = 0.3\ntiming_tolerance = 1\n[[normalise.patterns]]\nname = "y"\npattern = "x+"\n',
    );
    const { patterns, ...others } = commonCaseRules([one, other]) ?? {};
    assert.deepEqual(others, { presets: [], ignore: ['b'], usageTolerance: 0.1 });
    assert.equal(patterns?.length, 1);
    assert.equal(commonCaseRules([one]), one);
    assert.equal(commonCaseRules([one, undefined]), undefined);
    assert.equal(commonCaseRules([undefined, one, other]), undefined);
  });
});
