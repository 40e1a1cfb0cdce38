import { DEFAULT_MAX_ITERATIONS, DEFAULT_TOOL_TIMEOUT_MS } from '../../core/cases/toml/externalAgent';
import type { Json } from '../../core/json/json';
import type { AssertionResult } from '../../core/model/artifact';
import type { Case } from '../../core/model/case';
import type { ParseResult, Span } from '../../core/text/source';
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
export function requireValid<T>({ name, text }: CaseFile, { value, problems }: ParseResult<T>): T {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (value === undefined || errors.length > 0) throw new CaseError(problemsInCase(name, text, problems));
  return value;
}

export interface Judgement {
  readonly result: AssertionResult;
  readonly span?: Span;
}

/** The execution with these assertions, and with the details and notes of its kind. */
export function withJudgements<T extends Execution>(
  execution: T,
  judgements: readonly Judgement[],
  more: { readonly details?: Json; readonly notes?: readonly string[] } = {},
): T {
  const { run, artifact, notes = [] } = execution;
  const assertions = judgements.map(({ result }) => result);
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
