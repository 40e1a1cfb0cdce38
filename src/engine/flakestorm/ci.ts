import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { defaultTape } from '../../core/cases/caseKind';
import type { Chaos } from '../../core/flakestorm/chaos';
import type { FlakestormConfig } from '../../core/flakestorm/config';
import { type CiVerdict, judgeCi, type Phase } from '../../core/flakestorm/score';
import { readSessions } from '../../core/flakestorm/session';
import type { RequestedMode } from '../../core/runs/run';
import { questionsOf } from '../runs/kinds/flakestormConfig';
import { understood } from '../runs/kinds/synthetic';
import type { CaseFile } from '../runs/openCase';
import type { ExecuteOptions } from '../runs/runnableCase';
import { resolveContract } from './findConfig';
import { runMatrix } from './runMatrix';
import { runPrompts } from './runPrompts';
import { runSession } from './runSession';
import { Subject } from './subject';

export interface CiRun extends CiVerdict {
  /** 0 to 1, for each phase that ran. */
  readonly scores: Partial<Record<Phase, number>>;
}

export interface CiOptions {
  readonly mode: RequestedMode;
  /** 0 to 1. */
  readonly minScore: number;
  /** Instead of the configuration's own. */
  readonly chaos?: Chaos;
  readonly execute: ExecuteOptions;
  /** Called when a phase is done. */
  onPhase(phase: Phase, score: number): void;
}

/** All that a configuration has, phase by phase, and the verdict by Flakestorm's exit rules. */
export async function runCi(config: FlakestormConfig, file: CaseFile, options: CiOptions): Promise<CiRun> {
  const { mode, minScore, execute, onPhase } = options;
  const subject = new Subject(config, mode, file, execute);
  const questions = questionsOf(config, file);
  const scores: Partial<Record<Phase, number>> = {};
  const score = (phase: Phase, value: number): void => {
    scores[phase] = value;
    onPhase(phase, value);
  };
  score('mutation', (await runPrompts(subject, config.invariants, questions)).score);
  let criticalFailed = false;
  if (config.contract !== undefined) {
    const matrix = await runMatrix(subject, config.contract, questions);
    criticalFailed = matrix.criticalFailed;
    score('contract', matrix.resilienceScore / 100);
  }
  const chaos = options.chaos ?? config.chaos;
  if (chaos !== undefined) {
    score('chaos', (await runPrompts(subject, config.invariants, questions, subject.trouble(chaos))).score);
  }
  if (config.sessions.length > 0) score('replay', await replayScore(config, file, subject));
  return { scores, ...judgeCi({ scores, weights: config.scoring, minScore, criticalFailed }) };
}

/** The share of sessions that pass. Contracts are looked for beside the configuration, as Flakestorm's `ci` does. */
async function replayScore(config: FlakestormConfig, file: CaseFile, subject: Subject): Promise<number> {
  const folder = dirname(file.path);
  const sessions = await Promise.all(
    config.sessions.map(async ({ session }) => {
      if (session.file === undefined) return [{ session, tape: defaultTape(file.path, session.id) }];
      const path = resolve(folder, session.file);
      const text = await readFile(path, 'utf8');
      const found = understood({ path, name: session.file, text }, readSessions(text));
      return found.map((one) => ({
        session: one.session,
        tape: `${dirname(session.file ?? '')}/${one.tape ?? defaultTape(path)}`,
      }));
    }),
  );
  let passed = 0;
  for (const { session, tape } of sessions.flat()) {
    const contract = await resolveContract(session.contract, config, folder);
    const { run, artifact } = await runSession(subject, { session, tape, config, contract });
    if (run.error === null && artifact.status === 'passed') passed += 1;
  }
  return passed / sessions.flat().length;
}
