import assert from 'node:assert/strict';
import { readFlakestormConfig } from '../../../src/core/flakestorm/config';
import { agentResponse, type HttpAgent, httpAgentRequest } from '../../../src/core/flakestorm/httpAgent';
import {
  type Cell,
  DEFAULT_SCORING,
  isValidScoring,
  judgeCi,
  judgeMatrix,
  overallScore,
  percentText,
  roundedScore,
} from '../../../src/core/flakestorm/score';

const cell = (severity: Cell['severity'], outcome: Cell['outcome']): Cell => ({
  invariantId: 'i',
  scenario: 's',
  severity,
  outcome,
  details: '',
});

/** FORMATS 3.4: weights and exit rules. */
describe('the resilience score', () => {
  it('weighs critical 3, high 2, medium and low 1', () => {
    const cells = [cell('critical', 'passed'), cell('high', 'failed'), cell('medium', 'passed'), cell('low', 'failed')];
    assert.deepEqual(judgeMatrix(cells), { resilienceScore: 57.14, criticalFailed: false, passed: true });
  });

  it('is 100 for no cells, and a failed critical cell fails the matrix', () => {
    assert.equal(judgeMatrix([]).resilienceScore, 100);
    assert.deepEqual(judgeMatrix([cell('critical', 'failed')]), {
      resilienceScore: 0,
      criticalFailed: true,
      passed: false,
    });
  });

  it('does not count what was not judged', () => {
    assert.equal(judgeMatrix([cell('high', 'passed'), cell('critical', 'not judged')]).resilienceScore, 100);
  });
});

describe('ci', () => {
  const input = {
    scores: { mutation: 1, contract: 0.5 },
    weights: DEFAULT_SCORING,
    minScore: 0,
    criticalFailed: false,
    firstError: undefined,
  };
  it('weighs the phases that ran', () => {
    assert.equal(overallScore({ mutation: 1, contract: 0.5 }, DEFAULT_SCORING), (0.2 + 0.5 * 0.35) / 0.55);
    assert.equal(overallScore({}, DEFAULT_SCORING), 1);
  });

  it('fails when a phase is below the minimum, when a critical invariant failed, when the whole is below', () => {
    assert.equal(judgeCi(input).passed, true);
    assert.match(judgeCi({ ...input, minScore: 0.6 }).reasons.join(), /contract scored 50.0%, below 60.0%/);
    assert.match(judgeCi({ ...input, criticalFailed: true }).reasons.join(), /critical/);
    assert.match(judgeCi({ ...input, minScore: 0.7 }).reasons.join(), /overall 68.2%/);
    assert.match(judgeCi({ ...input, firstError: 'no route' }).reasons.join(), /first golden prompt .*no route/);
  });

  it('compares a contract as the percentage that is shown, and rounds scores as they are printed', () => {
    const scores = { contract: 83.33 / 100 };
    assert.equal(
      judgeCi({ ...input, scores, weights: { mutation: 0, chaos: 0, contract: 0, replay: 1 }, minScore: 0.8333 })
        .passed,
      true,
    );
    assert.equal(roundedScore(scores.contract), 0.8333);
    assert.deepEqual([81.25, 81.75, 66.666, 100, 0.05].map(percentText), ['81.2%', '81.8%', '66.7%', '100.0%', '0.1%']);
  });

  it('weights add up to 1, or are all zero', () => {
    assert.ok(isValidScoring(DEFAULT_SCORING) && isValidScoring({ mutation: 0, chaos: 0, contract: 0, replay: 0 }));
    assert.ok(!isValidScoring({ ...DEFAULT_SCORING, replay: 0.2 }));
  });
});

describe('a Flakestorm configuration', () => {
  const MINIMAL =
    'agent:\n  endpoint: "http://localhost:1/x"\ngolden_prompts: ["p"]\ninvariants:\n  - type: valid_json\n';
  const messages = (text: string) => readFlakestormConfig(text).problems.map(({ message }) => message);

  it('is read with its defaults', () => {
    const { value, problems } = readFlakestormConfig(MINIMAL);
    assert.deepEqual(problems, []);
    assert.equal(value?.agent.type, 'http');
    assert.deepEqual(value?.scoring, DEFAULT_SCORING);
  });

  it('is refused where Flakestorm refuses it, at the place', () => {
    assert.match(messages(`${MINIMAL}scoring:\n  mutation: 0.9\n`).join(), /must sum to 1.0/);
    assert.match(
      messages(MINIMAL.replace('valid_json', 'contains')).join(),
      /'contains' invariant requires 'value' field/,
    );
    assert.match(
      messages(MINIMAL.replace('valid_json', 'latency')).join(),
      /'latency' invariant requires 'max_ms' field/,
    );
    assert.match(messages(MINIMAL.replace('["p"]', '[]')).join(), /golden_prompts/);
    assert.match(
      messages('agent:\n  endpoint: "http://x"\ngolden_prompts: ["p"]\n').join(),
      /At least 1 invariant is required/,
    );
  });

  it('is refused when the address of its agent is none', () => {
    assert.match(messages(MINIMAL.replace('http://', '')).join(), /not an http\(s\) address/);
  });

  it('is refused where Flakestorm silently does something else', () => {
    assert.match(messages(MINIMAL.replace('valid_json', 'vald_json')).join(), /unknown invariant type: vald_json/);
    assert.match(
      messages(`${MINIMAL}chaos:\n  tool_faults:\n    - tool: "*"\n      mode: explode\n`).join(),
      /unknown `mode`: explode/,
    );
  });
});

describe('the request to an agent', () => {
  const agent: HttpAgent = {
    endpoint: 'http://a.example/x',
    method: 'POST',
    queryParams: {},
    headers: {},
    parseStructuredInput: true,
    timeoutMs: 1,
  };
  const none = new Map<string, string>();
  const KEY = ['$', '{KEY}'].join('');

  it('is {"input": prompt}, or the template with the prompt in it, whatever it contains', () => {
    assert.equal(httpAgentRequest(agent, 'hi', none).body, '{"input":"hi"}');
    const template = { ...agent, requestTemplate: '{"q": "{prompt}", "n": "{industry}"}' };
    const prompt = 'Industry: "Oil"\nmore';
    assert.deepEqual(JSON.parse(httpAgentRequest(template, prompt, none).body ?? ''), { q: prompt, n: '"Oil"' });
  });

  it('has query parameters for GET, with the environment filled in', () => {
    const get = {
      ...agent,
      method: 'GET',
      requestTemplate: 'q={prompt}',
      queryParams: { key: KEY },
      headers: { a: `Bearer ${KEY}` },
    };
    const { url, headers, body } = httpAgentRequest(get, 'hi', new Map([['KEY', 'k']]));
    assert.deepEqual([url, headers, body], ['http://a.example/x?key=k&q=q%3Dhi', { a: 'Bearer k' }, undefined]);
  });

  it('is answered by what response_path names, or the likeliest field', () => {
    assert.equal(agentResponse('{"data": {"items": ["a", {"b": 1}]}}', '$.data.items.1'), '{"b":1}');
    assert.equal(agentResponse('{"x": 1, "Answer": "yes"}', undefined), 'yes');
    assert.equal(agentResponse('{"result": null, "reply": "r"}', 'result'), 'r');
    assert.equal(agentResponse('plain', undefined), 'plain');
    assert.equal(agentResponse('["only"]', undefined), 'only');
  });
});
