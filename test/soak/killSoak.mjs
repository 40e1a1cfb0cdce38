#!/usr/bin/env node
// node test/soak/killSoak.mjs [N=200]   kills N recordings at random moments; exit code 1 when a tape was torn.
import { createRequire } from 'node:module';
import 'tsx/cjs';

const { killRounds } = createRequire(import.meta.url)('../harness/killRounds.ts');

const count = Number(process.argv[2] ?? 200);
if (!Number.isInteger(count) || count < 1) {
  console.error('usage: node test/soak/killSoak.mjs [N]');
  process.exit(2);
}
let round = 0;
const counts = await killRounds(count, ({ old, new: fresh, torn }) => {
  round += 1;
  if (round % 20 === 0) console.error(`${round} of ${count}: old ${old}, new ${fresh}, torn ${torn}`);
});
console.log(`${count} kills: old ${counts.old}, new ${counts.new}, torn ${counts.torn}`);
process.exitCode = counts.torn === 0 ? 0 : 1;
