import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { corpusFolder } from '../corpus';
import { runSeed } from './random';
import { type EditedPair, editedPair } from './reviewPairs';
import { judge, type Verdict } from './reviewVerdict';

interface Sums {
  pairs: number;
  noiseOnly: number;
  edits: number;
  missed: number;
  invented: number;
  wrong: number;
  subsets: number;
  bound: number;
}

/** Files larger than this take their time in every one of a thousand rounds. */
const LARGEST = 700_000;

/** True when the review said exactly what was done, in every pair. */
export function runBenchmark(pairs: number, seed: number, say: (line: string) => void = console.log): boolean {
  const corpus = corpusFolder();
  if (corpus === undefined) throw new Error('there is no corpus here; set TAPEDECK_CORPUS to its folder');
  const sums: Sums = { pairs: 0, noiseOnly: 0, edits: 0, missed: 0, invented: 0, wrong: 0, subsets: 0, bound: 0 };
  const byFormat = new Map<string, number>();
  const byEdit = new Map<string, number>();
  for (const { pair, name, run } of pairsOf(corpus, pairs, seed)) {
    const verdict = judge(pair, run);
    add(sums, pair, verdict);
    byFormat.set(pair.format.id, (byFormat.get(pair.format.id) ?? 0) + 1);
    for (const { kind, subject } of pair.edits)
      byEdit.set(`${kind} ${subject}`, (byEdit.get(`${kind} ${subject}`) ?? 0) + 1);
    const faults = [
      ...verdict.missed.map((edit) => `missed: ${edit}`),
      ...verdict.invented.map((change) => `invented: ${change}`),
      ...verdict.wrong,
    ];
    if (faults.length > 0) say(`${name} (seed ${run}): ${faults.join('; ')}`);
  }
  say(table('format', byFormat));
  say(table('edit', byEdit));
  say(summary(sums));
  return sums.pairs >= pairs && sums.missed + sums.invented + sums.wrong === 0;
}

function* pairsOf(corpus: string, wanted: number, seed: number) {
  const files = tapesOf(corpus);
  let made = 0;
  for (let round = 0; made < wanted && round < 60; round += 1)
    for (const { path, bytes } of files) {
      const name = relative(corpus, path);
      const run = runSeed(seed, name, round);
      const pair = editedPair(name, bytes, run);
      if (pair === undefined) continue;
      yield { pair, name, run };
      made += 1;
      if (made === wanted) return;
    }
}

/** Where one edit is several: an alias of YAML stands for a text in many places, and messages of MCP lie between those of others. */
const NOT_ONE_EDIT = /[/\\](?:agentape|mcp_\w+)[/\\]/;

function tapesOf(corpus: string) {
  return readdirSync(corpus, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !NOT_ONE_EDIT.test(path))
    .sort()
    .map((path) => ({ path, bytes: readFileSync(path) }))
    .filter(({ bytes }) => bytes.length < LARGEST);
}

function add(sums: Sums, { edits, noisy }: EditedPair, verdict: Verdict): void {
  sums.pairs += 1;
  if (edits.length === 0 && noisy) sums.noiseOnly += 1;
  sums.edits += edits.length;
  sums.missed += verdict.missed.length;
  sums.invented += verdict.invented.length;
  sums.wrong += verdict.wrong.length;
  sums.subsets += verdict.subsets;
  sums.bound += verdict.bound;
}

function table(title: string, counts: ReadonlyMap<string, number>): string {
  const rows = [...counts].sort(([, left], [, right]) => right - left).map(([name, count]) => `${name} ${count}`);
  return `by ${title}: ${rows.join(', ')}`;
}

function summary({ pairs, noiseOnly, edits, missed, invented, wrong, subsets, bound }: Sums): string {
  const found = edits - missed;
  const precision = found + invented === 0 ? 1 : found / (found + invented);
  const recall = edits === 0 ? 1 : found / edits;
  return [
    `${pairs} pairs, ${noiseOnly} of them noise only; ${edits} edits: precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`,
    `${subsets} subsets taken, ${bound} changes bound to others; ${wrong} files not as decided`,
  ].join('\n');
}
