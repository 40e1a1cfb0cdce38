import { NO_CHAOS } from '../../core/flakestorm/chaos';
import type { Contract, Invariant } from '../../core/flakestorm/contract';
import { appliesUnder, checkInvariant } from '../../core/flakestorm/invariants';
import type { FlakestormSession } from '../../core/tapes/formats/flakestorm/session';
import { t } from '../../core/text/l10n';
import { noticeOf, type Said } from '../../core/text/notice';
import type { Execution } from '../execution/runnableCase';
import { type Judgement, withJudgements } from '../execution/syntheticCase';
import type { AgentUnderTest, PromptResult } from './agentUnderTest';
import type { ChaosState } from './chaosState';

export interface SessionRun {
  readonly session: FlakestormSession;
  /** Relative to the case's folder. */
  readonly tape: string;
  /** The chaos of the configuration, which strikes sessions as well. */
  readonly chaosState: ChaosState | undefined;
  readonly contract: Contract | undefined;
}

/** Sends the session's prompt again, with the recorded tool responses, and judges the result by the contract. */
export async function runSession(
  subject: AgentUnderTest,
  { session, tape, chaosState, contract }: SessionRun,
): Promise<Execution> {
  const testPrompt = { name: session.name || session.id, prompt: session.input, tape, session };
  const promptResult = await subject.ask(testPrompt, ...(chaosState === undefined ? [] : [chaosState]));
  const meant = (contract?.invariants ?? []).filter(({ when }) => appliesUnder(when, chaosState?.chaos ?? NO_CHAOS));
  const notes = [
    ...(contract === undefined ? [noticeOf(() => noContract(session))] : []),
    ...skippedNotes(contract?.invariants ?? [], meant),
    ...timeNotes(promptResult),
    ...(chaosState?.faults.length ? [noticeOf(() => t('faults injected: {0}', chaosState.faults.join(', ')))] : []),
    ...(session.toolResponses.length > 0 ? [noticeOf(() => injectionNote(promptResult))] : []),
  ];
  const checks = meant.map((invariant) => judgeInvariant(invariant, promptResult));
  const differs = [...new Set(checks.flatMap(({ differs: one }) => one ?? []))];
  return withJudgements(promptResult.execution, () => checks, { notes: [...notes, ...differs] });
}

/** Judges a result by one invariant. */
export function judgeInvariant(
  invariant: Invariant,
  promptResult: Pick<PromptResult, 'text' | 'latencyMs'> & { readonly baseline?: string },
): Judgement & { readonly differs?: string } {
  const { passed, details, differs } = checkInvariant(invariant, promptResult);
  const { id, type } = invariant;
  const expected = invariant.value ?? invariant.pattern ?? invariant.expected ?? invariant.maxMs ?? id;
  const actual = type === 'latency' ? Math.round(promptResult.latencyMs) : promptResult.text;
  const result = { kind: type, expected, actual, passed, details: `${id}: ${details}` };
  return { result, differs };
}

function noContract({ contract }: FlakestormSession): string {
  return t('there is no contract {0}: the session passes if the agent responds', JSON.stringify(contract));
}

function skippedNotes(all: readonly Invariant[], meant: readonly Invariant[]): readonly Said[] {
  const left = all.filter((invariant) => !meant.includes(invariant));
  return left.map(({ id, when }) =>
    noticeOf(() => t('{0} was not judged because of when: {1} (Flakestorm always judges it)', id, when)),
  );
}

function timeNotes({ countedMs }: PromptResult): readonly Said[] {
  return countedMs === 0 ? [] : [noticeOf(() => t('{0} ms of delays were counted without waiting', countedMs))];
}

function injectionNote({ execution }: PromptResult): string {
  if (execution.artifact.tapedeck?.mode === 'replay')
    return t('the recorded tool responses were injected (Flakestorm lets the agent call its tools)');
  return t('recorded tool responses reach only the built-in agent, not one behind HTTP');
}
