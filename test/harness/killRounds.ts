import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readTape } from '../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../src/core/tapes/tapeFile';
import { copiedContent } from '../../src/engine/recording/recordedContent';
import { replaceTape } from '../../src/engine/recording/replaceTape';
import { previousTakes } from '../../src/engine/recording/takes';
import { childScript } from './childScript';
import { recordTake } from './killTake';
import { inFolder } from './support';

export interface KillCounts {
  /** The tape was still the one from before the recording that was killed. */
  old: number;
  /** The recording that was killed had replaced it already. */
  new: number;
  /** It was neither: what must not happen. */
  torn: number;
}

/** A child is killed no longer than this after it began or ended a recording. */
const LONGEST_STEP_MS = 40;

/** Kills recording processes at random moments, and looks every time at what is on the disk. */
export async function killRounds(count: number, onRound: (counts: KillCounts) => void = () => {}): Promise<KillCounts> {
  const counts = { old: 0, new: 0, torn: 0 };
  await inFolder(async (root) => {
    const tapePath = join(root, 'cases', 't.tape.json');
    const child = await childScript(join(__dirname, 'killChild'), root);
    await replaceTape({ root, tapePath, content: copiedContent(await recordTake(0)) });
    let onTape = 0;
    for (let round = 0; round < count; round += 1) {
      const { begun, done } = await recordUntilKilled(child, root, tapePath, onTape);
      const text = await readFile(tapePath, 'utf8');
      if (text === (await recordTake(done))) counts.old += 1;
      else if (text === (await recordTake(begun))) counts.new += 1;
      else counts.torn += 1;
      onTape = Number(/^take (\d+)$/.exec(readTape(tapeFileFromText(text))?.name ?? '')?.[1] ?? begun);
      counts.torn += await tornTakes(root, tapePath);
      onRound(counts);
    }
    await assertFreshRecordingWorks(child, root, tapePath, onTape + 1);
  });
  return counts;
}

/** The last takes that the child said it had begun, and done. */
interface Progress {
  readonly begun: number;
  readonly done: number;
}

async function recordUntilKilled(script: string, root: string, tapePath: string, before: number): Promise<Progress> {
  // The workspaces that the killed leave behind go with the folder of the test.
  const env = { ...process.env, TMPDIR: root };
  const command = [script, root, tapePath, String(before + 1)];
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  // Not by time: a loaded machine would kill all of them in their first recording.
  const steps = 1 + Math.floor(Math.random() * 8);
  let said = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    said += text;
    if (said.split('\n').length > steps) setTimeout(() => child.kill('SIGKILL'), Math.random() * LONGEST_STEP_MS);
  });
  const signal = await new Promise((resolve) => child.on('close', (_code, killedBy) => resolve(killedBy)));
  assert.equal(signal, 'SIGKILL', 'the child recorded until it was killed');
  const last = (word: string) => Number([...said.matchAll(new RegExp(`${word} (\\d+)\\n`, 'g'))].at(-1)?.[1] ?? before);
  return { begun: last('begun'), done: last('done') };
}

/** How many of the kept takes are not whole. They are removed, or they would fill the disk. */
async function tornTakes(root: string, tapePath: string): Promise<number> {
  let torn = 0;
  for (const path of await previousTakes({ root, tapePath })) {
    const tape = readTape(tapeFileFromText(await readFile(path, 'utf8')));
    if (tape === undefined || tape.problems.length > 0 || tape.interactions.length !== 2) torn += 1;
    await rm(path);
  }
  return torn;
}

/** By a process of its own: each clears once what was left before it. */
async function assertFreshRecordingWorks(
  script: string,
  root: string,
  tapePath: string,
  number: number,
): Promise<void> {
  const old = await readFile(tapePath, 'utf8');
  const text = await recordTake(number);
  execFileSync(process.execPath, [script, root, tapePath, `${number}`, `${number}`], { stdio: 'ignore' });
  const [previousTakePath = ''] = await previousTakes({ root, tapePath });
  assert.equal(await readFile(tapePath, 'utf8'), text);
  assert.equal(await readFile(previousTakePath, 'utf8'), old);
  assert.deepEqual(await readdir(join(root, '.tapedeck', 'tmp')), [], 'what the killed ones left is gone');
  assert.deepEqual(await readdir(join(root, 'cases')), ['t.tape.json']);
}
