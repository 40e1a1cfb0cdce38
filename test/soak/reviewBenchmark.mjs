#!/usr/bin/env node
// node test/soak/reviewBenchmark.mjs [PAIRS=1000] [SEED=1]
// Makes pairs of real corpus tapes by 1 to 5 known edits each, reviews them, and compares what the review says with what
// was done, and the files that come of decisions with what was decided. Exit code 1 when anything is wrong.
import { createRequire } from 'node:module';
import 'tsx/cjs';

const { runBenchmark } = createRequire(import.meta.url)('./reviewBenchmark.ts');
process.exitCode = runBenchmark(Number(process.argv[2] ?? 1000), Number(process.argv[3] ?? 1)) ? 0 : 1;
