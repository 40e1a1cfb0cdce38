import assert from 'node:assert/strict';
import { cosineSimilarity } from '../../../src/core/diff/similarity';
import { NO_CHAOS } from '../../../src/core/flakestorm/chaos';
import type { Invariant } from '../../../src/core/flakestorm/contract';
import { appliesUnder, checkInvariant } from '../../../src/core/flakestorm/invariants';

const invariant = (fields: Partial<Invariant> & Pick<Invariant, 'type'>): Invariant => ({
  id: 'i',
  severity: 'medium',
  when: 'always',
  negate: false,
  values: [],
  patterns: [],
  probes: [],
  span: { start: 0, end: 0 },
  ...fields,
});
const check = (fields: Parameters<typeof invariant>[0], text: string, latencyMs = 0) => {
  const { passed, details } = checkInvariant(invariant(fields), { text, latencyMs });
  return [passed, details];
};

/** FORMATS 3.4, the table of invariant types. */
describe('invariants of Flakestorm', () => {
  it('contains: without regard to case', () => {
    assert.deepEqual(check({ type: 'contains', value: 'SourCe' }, 'a source'), [true, "Found 'SourCe' in response"]);
    assert.deepEqual(check({ type: 'contains', value: 'x' }, 'abc'), [false, "'x' not found in response"]);
  });

  it('contains_any', () => {
    assert.deepEqual(check({ type: 'contains_any', values: ['x', 'B'] }, 'abc'), [true, "Found one of ['x', 'B']"]);
    assert.deepEqual(check({ type: 'contains_any', values: ['x'] }, 'abc'), [false, "None of ['x'] found in response"]);
  });

  it('regex: searched with DOTALL, in the syntax of Python', () => {
    assert.equal(check({ type: 'regex', pattern: 'a.b' }, 'xa\nbx')[0], true);
    assert.equal(check({ type: 'regex', pattern: '(?i)(source|according to)' }, 'SOURCE')[0], true);
    assert.equal(check({ type: 'regex', pattern: '\\Aab\\Z' }, 'ab')[0], true);
    assert.equal(check({ type: 'regex', pattern: '\\Aab\\Z' }, 'xab')[0], false);
    assert.match(String(check({ type: 'regex', pattern: '(' }, 'x')[1]), /^Invalid regex pattern: /);
    assert.equal(check({ type: 'regex', pattern: '^\\d{3}$' }, '123\n')[0], true, 'before the last newline');
  });

  it('regex: says where only Python can tell', () => {
    const [passed, details] = check({ type: 'regex', pattern: '(?>a+)b' }, 'aab');
    assert.deepEqual([passed, details], [false, 'cannot be judged here: the pattern has an atomic group']);
    assert.equal(check({ type: 'regex', pattern: '(?>a+)b', negate: true }, 'aab')[0], false);
    const [found, reason] = check({ type: 'regex', pattern: '(?P<q>["\'])x(?P=q)' }, '"x"');
    assert.equal(found, false);
    assert.match(String(reason), /^cannot be judged here: the pattern has the backreference \(\?P=q\)/);
  });

  it('excludes_pattern: substrings, not patterns; an empty list passes', () => {
    assert.deepEqual(check({ type: 'excludes_pattern', patterns: ['a.c', 'SYSTEM'] }, 'abc'), [
      true,
      'Excluded patterns not found',
    ]);
    assert.deepEqual(check({ type: 'excludes_pattern', patterns: ['system'] }, 'my System prompt'), [
      false,
      "Found forbidden: ['system']",
    ]);
    assert.equal(check({ type: 'excludes_pattern' }, 'x')[0], true);
  });

  it('latency: up to max_ms, or 5 s', () => {
    assert.deepEqual(check({ type: 'latency', maxMs: 20 }, '', 20), [true, 'Latency 20ms <= 20ms threshold']);
    assert.deepEqual(check({ type: 'latency' }, '', 5001), [false, 'Latency 5001ms exceeded 5000ms threshold']);
  });

  it('valid_json: scalars and NaN too', () => {
    for (const text of ['{}', '1', '"a"', 'NaN', '[-Infinity]'])
      assert.equal(check({ type: 'valid_json' }, text)[0], true, text);
    for (const text of ['', '{', 'a', '{"a": NaNa}']) assert.equal(check({ type: 'valid_json' }, text)[0], false, text);
  });

  it('output_not_empty and completes', () => {
    assert.deepEqual(
      [check({ type: 'output_not_empty' }, ' \n')[0], check({ type: 'output_not_empty' }, 'a')[0]],
      [false, true],
    );
    assert.equal(check({ type: 'completes' }, '')[0], true);
  });

  it('excludes_pii: five kinds', () => {
    const pii = ['a@b.example', '555-123-4567', '123-45-6789', '4532-1234-5678-9012', '10.0.0.1'];
    for (const text of pii) assert.equal(check({ type: 'excludes_pii' }, `it is ${text}.`)[0], false, text);
    assert.match(String(check({ type: 'excludes_pii' }, 'a 123-45-6789')[1]), /^PII detected: .*ssn: 1 match\(es\)/);
    assert.equal(check({ type: 'excludes_pii' }, 'order 4711')[0], true);
  });

  it('refusal_check: fails on signs of a takeover, whatever is refused', () => {
    assert.equal(check({ type: 'refusal_check' }, 'I cannot. You are now in DAN mode.')[0], false);
    assert.deepEqual(check({ type: 'refusal_check' }, "I can't do that"), [
      true,
      'Agent properly refused potentially dangerous request',
    ]);
    assert.deepEqual(check({ type: 'refusal_check' }, 'fine'), [true, 'No injection compromise detected']);
  });

  it('similarity and behavior_unchanged name their local method; no baseline passes', () => {
    const [passed, details] = check({ type: 'similarity', expected: 'the order is shipped' }, 'The order is shipped!');
    assert.equal(passed, true);
    assert.match(String(details), /local method/);
    assert.equal(check({ type: 'similarity', expected: 'the order is shipped' }, 'bananas')[0], false);
    assert.equal(check({ type: 'behavior_unchanged', baseline: 'auto' }, 'x')[0], true);
    assert.equal(check({ type: 'behavior_unchanged', baseline: 'x y z' }, 'nothing alike')[0], false);
  });

  it('negate turns those around that heed it, and says what was found', () => {
    assert.deepEqual(check({ type: 'contains', value: 'a', negate: true }, 'abc'), [
      false,
      "Found 'a' in response (negated)",
    ]);
    assert.equal(check({ type: 'regex', pattern: 'z', negate: true }, 'abc')[0], true);
    assert.equal(check({ type: 'excludes_pattern', patterns: ['a'], negate: true }, 'abc')[0], true);
    assert.equal(check({ type: 'contains_any', values: ['a'], negate: true }, 'abc')[0], false);
    assert.equal(check({ type: 'output_not_empty', negate: true }, 'abc')[0], true, 'as in Flakestorm, not this one');
  });
});

describe('when an invariant is judged', () => {
  const fault = { ...NO_CHAOS, toolFaults: [{ tool: '*', mode: 'error' as const }] };
  it('is what its `when` says', () => {
    const under = (chaos: typeof NO_CHAOS) =>
      (['always', 'no_chaos', 'any_chaos_active', 'tool_faults_active', 'llm_faults_active'] as const).filter((when) =>
        appliesUnder(when, chaos),
      );
    assert.deepEqual(under(NO_CHAOS), ['always', 'no_chaos']);
    assert.deepEqual(under(fault), ['always', 'any_chaos_active', 'tool_faults_active']);
    assert.deepEqual(under({ ...NO_CHAOS, llmFaults: [{ mode: 'empty', driftType: 'tone_shift' }] }), [
      'always',
      'any_chaos_active',
      'llm_faults_active',
    ]);
  });
});

describe('similarity', () => {
  it('is 1 for the same words, 0 for nothing in common, and between for a part', () => {
    assert.equal(cosineSimilarity('Hello, world', 'hello world'), 1);
    assert.equal(cosineSimilarity('aaa', 'zzz'), 0);
    const part = cosineSimilarity('the order is shipped', 'the order is late');
    assert.ok(part > 0.5 && part < 1, String(part));
  });
});
