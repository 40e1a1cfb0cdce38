#!/usr/bin/env node
// node test/soak/killSoak.mjs [N=1000]   kills N processes at random moments: recordings of the built-in agent, of `serve` and
// of `exec`, and decisions. Exit code 1 when a file was torn, or a finished interaction was lost. Build the engine first.
import { createRequire } from 'node:module';
import 'tsx';

const require = createRequire(import.meta.url);
const { killRounds } = require('../harness/killRounds.ts');
const { killProxies } = require('../harness/killProxy.ts');
const { killDecisions } = require('../harness/killDecisions.ts');

const count = Number(process.argv[2] ?? 1000);
if (!Number.isInteger(count) || count < 10) {
  console.error('usage: node test/soak/killSoak.mjs [N], at least 10');
  process.exit(2);
}
const proxies = Math.round(count * 0.15);
const decisions = Math.round(count * 0.3);
let failed = 0;

const kinds = /** @type {const} */ ([
  ['serve', proxies, killProxies.bind(undefined, 'serve')],
  ['exec', proxies, killProxies.bind(undefined, 'exec')],
  ['decisions', decisions, killDecisions],
  ['built-in', count - 2 * proxies - decisions, killRounds],
]);
for (const [kind, kills, run] of kinds) {
  let round = 0;
  const started = Date.now();
  const counts = await run(kills, (/** @type {object} */ now) => {
    round += 1;
    if (round % 25 === 0) console.error(`${kind} ${round} of ${kills}: ${JSON.stringify(now)}`);
  });
  const { torn = 0, lost = 0, wrong = 0 } = counts;
  failed += torn + lost + wrong;
  console.log(`${kind}: ${kills} kills in ${Math.round((Date.now() - started) / 1000)} s: ${JSON.stringify(counts)}`);
}
console.log(`${count} kills: ${failed === 0 ? 'nothing torn, lost, or wrong' : `${failed} torn, lost, or wrong`}`);
process.exitCode = failed === 0 ? 0 : 1;
