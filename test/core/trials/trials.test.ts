import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCase } from '../../../src/core/cases/toml/readCase';
import type { TrialSample } from '../../../src/core/model/trial';
import { chooseSample } from '../../../src/core/trials/chooseSample';
import { recordedContent, recordingKey } from '../../../src/core/trials/recordingKey';
import { spreadOf } from '../../../src/core/trials/spread';
import { summarise } from '../../../src/core/trials/summary';

describe('the spread of values', () => {
  it('is their median and quartiles, in proportion between two of them', () => {
    assert.equal(spreadOf([]), undefined);
    assert.deepEqual(spreadOf([7]), { median: 7, low: 7, high: 7 });
    assert.deepEqual(spreadOf([4, 1, 3, 2]), { median: 2.5, low: 1.75, high: 3.25 });
    assert.deepEqual(spreadOf([5, 1, 4, 2, 3]), { median: 3, low: 2, high: 4 });
  });

  it('is within the values, in order, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const { median, low, high } = spreadOf(values) ?? { median: Number.NaN, low: 0, high: 0 };
        assert.ok(Math.min(...values) <= low && low <= median && median <= high && high <= Math.max(...values));
      }),
    );
  });
});

const sample = (number: number, verdict: TrialSample['verdict'], changes?: number): TrialSample => ({
  sample: number,
  verdict,
  durationMs: 100 * number,
  tapePath: `${number}.tape.json`,
  ...(changes !== undefined && { changes }),
});

describe('a cell of a trial', () => {
  it('counts errors as not passed, and takes no latency from them', () => {
    const { passed, errors, of, passRate, durationMs } = summarise([
      sample(1, 'passed'),
      sample(2, 'failed'),
      sample(3, 'error'),
      sample(4, 'passed'),
    ]);
    assert.deepEqual([passed, errors, of, passRate, durationMs?.high], [2, 1, 4, 0.5, 300]);
  });

  it('is adopted by the first sample that passed with the median number of changes', () => {
    const samples = [sample(1, 'passed', 9), sample(2, 'failed', 2), sample(3, 'passed', 2), sample(4, 'passed', 1)];
    assert.equal(chooseSample(samples)?.sample, 3);
    assert.equal(chooseSample([sample(1, 'passed', 4), sample(2, 'passed', 1)])?.sample, 2, 'of two, the smaller');
    assert.equal(chooseSample([sample(1, 'passed'), sample(2, 'passed')])?.sample, 1);
    assert.equal(chooseSample([sample(1, 'failed', 1), sample(2, 'error')]), undefined);
  });
});

describe('the key of a recording', () => {
  const CASE = `name = "a"
prompt = "hi"
[llm]
tape = "a.tape.json"
[llm.provider]
kind = "open_ai_compatible"
base_url = "http://127.0.0.1:9/v1"
model = "m"
[assert]
contains = "x"
`;
  const keyOf = (text: string, model = 'other'): string => {
    const { value } = readCase(text);
    assert.ok(value);
    const { provider } = value.llm;
    return recordingKey({ content: recordedContent(value), provider, files: [], upstreams: null }, model);
  };

  it('changes with what is asked, where, and how it is judged', () => {
    const changed = [
      CASE.replace('"hi"', '"hello"'),
      CASE.replace(':9/', ':10/'),
      CASE.replace('"x"', '"y"'),
      CASE.replace('[llm]', '[agent]\nsystem = "Be kind."\n[llm]'),
    ];
    assert.equal(new Set([keyOf(CASE), keyOf(CASE, 'm'), ...changed.map((text) => keyOf(text))]).size, 6);
  });

  it('stays where the case only looks otherwise, or names another model or tape', () => {
    const same = [
      `# a comment\n${CASE}`,
      CASE.replace('"m"', '"other"'),
      CASE.replace('a.tape', 'b.tape'),
      CASE.replace('prompt', 'tags = ["slow"]\nprompt'),
    ];
    assert.deepEqual(
      same.map((text) => keyOf(text)),
      same.map(() => keyOf(CASE)),
    );
  });
});
