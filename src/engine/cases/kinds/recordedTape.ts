import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { RecordedTapeKind } from '../../../core/cases/caseKind';
import type { Json } from '../../../core/json/json';
import type { ToolCallRecord } from '../../../core/model/artifact';
import type { Interaction } from '../../../core/model/interaction';
import type { Tape } from '../../../core/model/tape';
import { tapeFileFromText } from '../../../core/tapes/tapeFile';
import { t } from '../../../core/text/l10n';
import { CaseError, caseFailure } from '../../errors/failures';
import type { AgentRun } from '../../execution/agentRun';
import { buildArtifact } from '../../execution/buildArtifact';
import { summariseResponse } from '../../execution/runAgent';
import type { CaseFile, ExecuteOptions, RunnableCase } from '../../execution/runnableCase';
import { type Judgement, syntheticCase, withJudgements } from '../../execution/syntheticCase';
import { withSlashes } from '../../files/projectPaths';
import { inTheirLanguage } from '../../language';

/**
 * Opens a tape as a case: its recordings are replayed in order, as the framework that recorded it would, and the integrity of
 * the file is checked. The test that drives the agent is not run.
 */
export function openRecordedTape(file: CaseFile, kind: RecordedTapeKind): RunnableCase {
  const source = tapeFileFromText(file.text, file.path);
  const [listed] = kind.list(file.text, withSlashes(file.path)).cases;
  const name = listed?.name ?? basename(file.path);
  return {
    name,
    async plan(mode) {
      if (mode !== 'replay') throw new CaseError([notRecordedHere(file.name, kind)]);
      return {
        mode,
        starts: undefined,
        async execute(options) {
          const tape = kind.format.read(source);
          const run = replay(tape, options);
          const artifact = buildArtifact(syntheticCase({ name, prompt: '' }), run, { mode, tape: basename(file.path) });
          const execution = { run, artifact, recorded: tape.interactions.length };
          return withJudgements(execution, () => [...integrity(tape), completeness(tape)]);
        },
      };
    },
  };
}

function notRecordedHere(name: string, { format: { label, recordedByTests } }: RecordedTapeKind) {
  if (recordedByTests === undefined) return caseFailure(() => t('{0} is a {1}: it can only be replayed', name, label));
  return caseFailure(
    () => t('{0} is recorded by the test that uses it, not by Tapedeck', name),
    () => t('Re-record it with the lens above that test, or with {0}.', recordedByTests.howTo),
  );
}

/** A failed judgement for each problem, at its position; a single passed one where there is none. */
function integrity({ problems }: Tape): Judgement[] {
  const faults = problems.filter(({ severity }) => severity !== 'info');
  const kind = 'integrity';
  if (faults.length === 0) return [{ result: { kind, expected: 'in order', actual: 'in order', passed: true } }];
  return faults.map(({ message, span }) => ({
    result: { kind, expected: 'in order', actual: message, passed: false, details: message },
    span,
  }));
}

/** Whether every recorded call has a response. */
function completeness({ interactions }: Tape): Judgement {
  const calls = interactions.filter(isCall);
  const missing = calls.find(({ response }) => response === undefined);
  const actual = calls.filter(({ response }) => response !== undefined).length;
  const details = t('{0} of {1} recorded calls have a response', actual, calls.length);
  const result = { kind: 'replay', expected: calls.length, actual, passed: missing === undefined, details };
  return missing === undefined ? { result } : { result, span: missing.source };
}

function isCall({ kind }: Interaction): boolean {
  return kind === 'llm' || kind === 'embedding' || kind === 'tool';
}

/** The run that the recordings describe. */
function replay({ interactions }: Tape, { signal, onInteraction }: ExecuteOptions): AgentRun {
  signal.throwIfAborted();
  const startedAtMs = Date.now();
  const calls = interactions.filter(isCall);
  const modelCalls = calls.filter(({ kind }) => kind === 'llm');
  for (const { index, response } of modelCalls)
    if (response !== undefined)
      onInteraction?.(
        index,
        inTheirLanguage(() => summariseResponse(response)),
      );
  const last = modelCalls.at(-1);
  const toolCalls = calls.flatMap(toolRecord);
  return {
    outputText: last?.response?.content ?? last?.response?.error ?? '',
    error: null,
    toolCalls,
    toolCallOrder: toolCalls.map(({ tool_name }) => tool_name),
    lastRequest: last?.request ?? null,
    lastResponse: last?.response ?? null,
    session: modelCalls.flatMap(sessionMessages),
    workspaceRoot: '',
    before: { files: [] },
    after: { files: [] },
    executionId: randomUUID(),
    sessionId: randomUUID(),
    agent: { id: randomUUID(), name: 'recorded' },
    startedAtMs,
    durationMs: Date.now() - startedAtMs,
    interactions: calls.length,
    // Such a case has no assertions of its own.
    modelCalls: [],
    toolSteps: [],
  };
}

function sessionMessages({ request, response }: Interaction): { readonly role: string; readonly content: string }[] {
  const prompt = request?.messages.at(-1);
  return [
    ...(prompt === undefined ? [] : [{ role: prompt.role, content: prompt.content ?? '' }]),
    ...(response === undefined ? [] : [{ role: 'assistant', content: response.content ?? response.error ?? '' }]),
  ];
}

function toolRecord({ kind, request, response, timing }: Interaction): ToolCallRecord[] {
  const call = kind === 'tool' ? request?.messages[0]?.toolCalls[0] : undefined;
  if (call === undefined) return [];
  const output: Json = response?.content ?? response?.error ?? null;
  return [
    {
      tool_name: call.name,
      input: call.arguments,
      output,
      success: response !== undefined && response.error === undefined,
      duration_ms: timing?.durationMs ?? null,
      timed_out: false,
    },
  ];
}
