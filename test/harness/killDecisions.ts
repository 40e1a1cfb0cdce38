import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeArtifact, writeBaseline } from '../../src/core/cases/artifactFile';
import { mofaFormat } from '../../src/core/tapes/formats/mofa/index';
import { artifactOf } from '../core/cases/artifacts';
import { say, turn } from '../core/review/recordings';
import { childScript } from './childScript';
import { inFolder } from './support';

export interface DecisionKills {
  rounds: number;
  /** Baselines, tapes, and decision files that were neither the old one nor the new one, whole. */
  torn: number;
  /** How many children were killed in each step. */
  readonly steps: Record<string, number>;
}

/** A child is killed no longer than this after a step began. */
const LONGEST_STEP_MS = 25;
const RUNS = ['one', 'two'].map((text) => artifactOf({ output_text: text.repeat(2000) }));
const tape = (answer: string) =>
  mofaFormat.serialise?.('case', [turn([say('user', 'Tell me')], answer.repeat(2000))]) ?? '';
const [OLD, NEW] = [tape('old '), tape('new ')];

/** Kills processes that accept, undo, and reject at random moments, and looks every time at what is on the disk. */
export async function killDecisions(
  count: number,
  onRound: (kills: DecisionKills) => void = () => {},
): Promise<DecisionKills> {
  const kills: DecisionKills = { rounds: 0, torn: 0, steps: {} };
  await inFolder(async (root) => {
    const child = await childScript(join(__dirname, 'killDecisionsChild'), root);
    const [first, second] = RUNS;
    assert.ok(first && second);
    await mkdir(join(root, '.tapedeck/runs'), { recursive: true });
    await writeFile(join(root, 'first.artifact.json'), writeArtifact(first));
    await writeFile(join(root, 'second.artifact.json'), writeArtifact(second));
    await writeFile(join(root, 'a.baseline.json'), writeBaseline(second));
    await writeFile(join(root, 'old.json'), OLD);
    await writeFile(join(root, 'new.json'), NEW);
    const baselines = RUNS.map(writeBaseline);
    for (let round = 0; round < count; round += 1) {
      const step = await decideUntilKilled(child, root);
      kills.rounds += 1;
      kills.steps[step] = (kills.steps[step] ?? 0) + 1;
      if (!baselines.includes(await readFile(join(root, 'a.baseline.json'), 'utf8'))) kills.torn += 1;
      const text = await readFile(join(root, 'a.tape.json'), 'utf8').catch(() => OLD);
      if (text !== OLD && text !== NEW) kills.torn += 1;
      for (const name of ['a.json', 'a.tape.json.decisions.json']) if (await isTorn(root, name)) kills.torn += 1;
      onRound(kills);
    }
  });
  return kills;
}

async function isTorn(root: string, name: string): Promise<boolean> {
  const text = await readFile(join(root, '.tapedeck/reviews', name), 'utf8').catch(() => '{}');
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

/** The step in which it was killed. */
async function decideUntilKilled(script: string, root: string): Promise<string> {
  const child = spawn(process.execPath, [script, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  // Not by time: a loaded machine would kill all of them in their first step.
  const steps = 1 + Math.floor(Math.random() * 14);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.split('\n').length > steps) setTimeout(() => child.kill('SIGKILL'), Math.random() * LONGEST_STEP_MS);
  });
  const signal = await new Promise((settle) => child.on('close', (_code, killedBy) => settle(killedBy)));
  assert.equal(signal, 'SIGKILL', 'the child decided until it was killed');
  return said.trimEnd().split('\n').at(-1)?.split(' ')[0] ?? '';
}
