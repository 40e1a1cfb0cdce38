import { DEFAULT_MAX_ITERATIONS, DEFAULT_TOOL_TIMEOUT_MS } from '../../core/cases/toml/externalAgent';
import type { Json } from '../../core/json/json';
import type { AssertionResult } from '../../core/model/artifact';
import type { Case } from '../../core/model/case';
import type { Said } from '../../core/text/notice';
import { noticeFor, noticesIn } from '../../core/text/notice';
import type { ParseResult, Span } from '../../core/text/source';
import { errorsIn } from '../../core/text/source';
import { CaseError, problemsInCase } from '../errors/failures';
import type { CaseFile, Execution } from './runnableCase';

/** A case of another kind in the form that the built-in agent runs. */
export function syntheticCase(parts: Pick<Case, 'name' | 'prompt'> & Partial<Case>): Case {
  return {
    nameSpan: { start: 0, end: 0 },
    tags: [],
    agent: { maxIterations: DEFAULT_MAX_ITERATIONS, toolTimeoutMs: DEFAULT_TOOL_TIMEOUT_MS },
    bootstrapFiles: [],
    tools: [],
    llm: {},
    assertions: [],
    ...parts,
  };
}

/** The value of a reading. Throws a `CaseError` with its problems, at their places. */
export function requireValid<T>({ name, text }: CaseFile, read: () => ParseResult<T>): T {
  const { value, problems } = read();
  if (value === undefined || errorsIn(problems).length > 0)
    throw new CaseError(problemsInCase(name, text, () => read().problems));
  return value;
}

export interface Judgement {
  readonly result: AssertionResult;
  readonly span?: Span;
}

/** The execution with the assertions that are judged, and with the details and notes of its kind. */
export function withJudgements<T extends Execution>(
  execution: T,
  judge: () => readonly Judgement[],
  more: { readonly details?: Json; readonly notes?: readonly Said[] } = {},
): T {
  const { run, artifact, notes = [] } = execution;
  const judgements = judge();
  const assertions = withNotices(judgements, judge);
  const status = run.error === null && assertions.every(({ passed }) => passed) ? 'passed' : 'failed';
  const { details } = more;
  const mode = artifact.tapedeck?.mode ?? 'replay';
  const tapedeck = details === undefined ? artifact.tapedeck : { ...artifact.tapedeck, mode, details };
  return {
    ...execution,
    artifact: { ...artifact, status, assertions, ...(tapedeck && { tapedeck }) },
    assertionSpans: judgements.map(({ span }) => span),
    notes: [...notes, ...(more.notes ?? [])],
  };
}

/** The results of judgements, with what their details say, which is judged once more. */
function withNotices(judgements: readonly Judgement[], judge: () => readonly Judgement[]): readonly AssertionResult[] {
  const { made, saidIn } = noticesIn(() => judge().map(({ result }) => result.details ?? ''));
  return judgements.map(({ result }, index) => {
    const said = result.said ?? noticeFor(result.details ?? '', saidIn(made[index] ?? ''));
    return { ...result, ...(said !== undefined && { said }) };
  });
}
