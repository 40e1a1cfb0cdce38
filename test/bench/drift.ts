/**
 * A drift among 2,000 recordings of 200 KB, explained, against ten exact matches: `npx tsx test/bench/drift.ts`. Prints the
 * medians of 15 rounds in milliseconds. The issue asks for a drift in the time of ten matches.
 */
import { createHash } from 'node:crypto';
import { createMatcher } from '../../src/core/match/matcher';
import { randomOf } from '../harness/random.mjs';

const RECORDINGS = 2000;
const ROUNDS = 15;
const random = randomOf(1);
const words = (count: number): string => Array.from({ length: count }, () => `word${random(5000)}`).join(' ');

const history = Array.from({ length: 38 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: words(580) }));
const bodies = Array.from({ length: RECORDINGS }, (_, at) => ({
  model: 'gpt-4o',
  temperature: 0,
  messages: [...history, { role: 'user', content: `${at} ${words(580)}` }, { role: 'user', content: words(40) }],
}));

const recorded = bodies.map((body, index) => ({
  index,
  kind: 'llm' as const,
  wire: () => ({ address: 'POST /chat/completions', body: JSON.parse(JSON.stringify(body)) }),
}));
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const matcher = createMatcher(recorded, { match: 'exact', masks: [], hash });
const request = (body: object) => ({
  method: 'POST',
  url: '/v1/chat/completions',
  headers: [],
  body: new TextEncoder().encode(JSON.stringify(body)),
});

const exact: number[] = [];
const drift: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const asked = Array.from({ length: 10 }, () => request(bodies[random(RECORDINGS)] ?? {}));
  exact.push(timed(() => asked.map((one) => matcher.take(one, `${round}`))));
  const body = structuredClone(bodies[random(RECORDINGS)] ?? bodies[0]);
  const last = body?.messages.at(-1);
  if (last !== undefined) last.content += ' and more';
  const changed = request({ ...body, temperature: 1 });
  drift.push(timed(() => matcher.take(changed, `${round}`)));
}
console.log(
  `${request(bodies[0] ?? {}).body.length} bytes: ten matches ${median(exact)} ms, one drift ${median(drift)} ms`,
);

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function median(times: readonly number[]): string {
  return ([...times].sort((left, right) => left - right)[times.length >> 1] ?? 0).toFixed(1);
}
