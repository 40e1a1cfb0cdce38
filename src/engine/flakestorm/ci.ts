import { dirname, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { defaultTape } from '../../core/cases/caseKind';
import { type Chaos, combinedChaos } from '../../core/flakestorm/chaos';
import type { FlakestormConfig } from '../../core/flakestorm/config';
import { langSmithSession } from '../../core/flakestorm/exportReport';
import { type CiVerdict, judgeCi, type Phase } from '../../core/flakestorm/score';
import { readSessions } from '../../core/flakestorm/session';
import type { RequestedMode } from '../../core/model/run';
import type { CaseFile, ExecuteOptions } from '../execution/runnableCase';
import { requireValid } from '../execution/syntheticCase';
import { withSlashes } from '../files/projectPaths';
import { readText } from '../files/readFile';
import { AgentUnderTest } from './agentUnderTest';
import type { ChaosState } from './chaosState';
import { resolveContract } from './findConfig';
import { goldenTestPrompts } from './openFlakestorm';
import { runMatrix } from './runMatrix';
import { runPrompts } from './runPrompts';
import { runSession, type SessionRun } from './runSession';

interface CiRun extends CiVerdict {
  /** 0 to 1, for each phase that ran. */
  readonly scores: Partial<Record<Phase, number>>;
}

interface CiOptions {
  readonly mode: RequestedMode;
  /** 0 to 1. */
  readonly minScore: number;
  /** Beside the configuration's own, as `flakestorm run --chaos-profile` has it. */
  readonly chaos?: Chaos;
  readonly execute: ExecuteOptions;
  /** Called when a phase is done. */
  onPhase(phase: Phase, score: number): void;
}

/**
 * Runs all phases of a configuration; the verdict follows Flakestorm's exit rules. As in Flakestorm, the configuration's chaos
 * strikes every phase, and a first golden prompt that ends in an error fails the whole run.
 */
export async function runCi(config: FlakestormConfig, file: CaseFile, options: CiOptions): Promise<CiRun> {
  const { mode, minScore, execute, onPhase } = options;
  const all = [config.chaos, options.chaos].filter((one) => one !== undefined);
  const chaos = all.length === 0 ? undefined : combinedChaos(...all);
  const subject = new AgentUnderTest(config, mode, file, execute);
  const newChaos = (): ChaosState | undefined => chaos && subject.startChaos(chaos);
  const prompts = goldenTestPrompts(config, file);
  const scores: Partial<Record<Phase, number>> = {};
  const score = (phase: Phase, value: number): void => {
    scores[phase] = value;
    onPhase(phase, value);
  };
  const { score: mutation, firstError } = await runPrompts(subject, config.invariants, prompts, newChaos());
  score('mutation', mutation);
  let criticalFailed = false;
  if (config.contract !== undefined) {
    const matrix = await runMatrix(subject, config.contract, prompts, chaos);
    criticalFailed = matrix.criticalFailed;
    score('contract', matrix.resilienceScore / 100);
  }
  if (chaos !== undefined) score('chaos', (await runPrompts(subject, config.invariants, prompts, newChaos())).score);
  const imported = mode === 'replay' ? [] : await fromLangSmith(config, file, execute);
  const sessions = [...(await configured(config, file)), ...imported];
  if (sessions.length > 0) score('replay', await replayScore(sessions, config, file, subject, newChaos()));
  return { scores, ...judgeCi({ scores, weights: config.scoring, minScore, criticalFailed, firstError }) };
}

type CiSession = Pick<SessionRun, 'session' | 'tape'>;

/** The sessions of a configuration, inline or in files. */
async function configured(config: FlakestormConfig, file: CaseFile): Promise<readonly CiSession[]> {
  const folder = dirname(file.path);
  const sessions = await Promise.all(
    config.sessions.map(async ({ session }) => {
      if (session.file === undefined) return [{ session, tape: defaultTape(withSlashes(file.path), session.id) }];
      const path = resolve(folder, session.file);
      const text = await readText(path, FILE_LIMITS.config);
      const found = requireValid({ path, name: session.file, text }, () => readSessions(text));
      return found.map((one) => ({
        session: one.session,
        tape: `${dirname(session.file ?? '')}/${one.tape ?? defaultTape(withSlashes(path))}`,
      }));
    }),
  );
  return sessions.flat();
}

/** The sessions from LangSmith: runs, and projects with `auto_import`, as in Flakestorm's `ci`. */
async function fromLangSmith(
  config: FlakestormConfig,
  file: CaseFile,
  { network }: ExecuteOptions,
): Promise<readonly CiSession[]> {
  const sources = config.sources.filter((source) => source.type === 'run' || source.autoImport);
  if (sources.length === 0) return [];
  const { LangSmith } = await import('./langSmith');
  const langSmith = new LangSmith(network);
  const found = await Promise.all(
    sources.map(async (source) =>
      source.type === 'run' ? [await langSmith.run(source.runId)] : langSmith.project(source),
    ),
  );
  return found.flat().flatMap((run) => {
    const { name, text } = langSmithSession(run);
    return requireValid({ path: file.path, name, text }, () => readSessions(text)).map(({ session }) => ({
      session,
      tape: defaultTape(name),
    }));
  });
}

/** The share of sessions that pass. Contracts are read from the folder of the configuration, as in Flakestorm's `ci`. */
async function replayScore(
  sessions: readonly CiSession[],
  config: FlakestormConfig,
  file: CaseFile,
  subject: AgentUnderTest,
  chaosState: ChaosState | undefined,
): Promise<number> {
  const folder = dirname(file.path);
  let passed = 0;
  for (const { session, tape } of sessions) {
    const contract = await resolveContract(session.contract, config, folder);
    const { run, artifact } = await runSession(subject, { session, tape, chaosState, contract });
    if (run.error === null && artifact.status === 'passed') passed += 1;
  }
  return passed / sessions.length;
}
