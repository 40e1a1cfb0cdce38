import type { RunResult } from '../../core/model/run';
import { createPaint } from '../commands/paint';
import { caseText } from '../reporters/caseText';
import { runCase } from '../runs/runCase';
import { projectPath } from './projectPath';

/** Replays a case; gives how it went, as `tapedeck run` prints it. */
export async function replayCase(root: string, named: string, signal: AbortSignal): Promise<string> {
  return resultText(root, await replay(root, named, signal));
}

/** Replays a case; gives what no longer matches its recordings, or says that all did. */
export async function explainDrift(root: string, named: string, signal: AbortSignal): Promise<string> {
  const result = await replay(root, named, signal);
  const misses = result.failures.filter(({ kind }) => kind === 'replay');
  if (misses.length > 0) return resultText(root, { ...result, failures: misses });
  return `${named}: every request had its recording (${result.compared}).\n${resultText(root, result)}`;
}

async function replay(root: string, named: string, signal: AbortSignal): Promise<RunResult> {
  // Without keys: a replay asks nobody.
  return runCase(await projectPath(root, named), { root, mode: 'replay', signal, env: () => undefined });
}

function resultText(root: string, result: RunResult): string {
  return caseText(result, { cwd: root, paint: createPaint(false), columns: undefined });
}
