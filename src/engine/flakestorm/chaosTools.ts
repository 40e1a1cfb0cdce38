import { faultyToolOutcome, injectedResult } from '../../core/flakestorm/faults';
import { compactJson } from '../../core/json/json';
import { jsonValue } from '../../core/json/readJson';
import type { DeclaredResponse } from '../../core/tapes/formats/flakestorm/session';
import type { ToolCallOutcome, ToolRunner } from '../execution/tools';
import type { ChaosClock, ChaosState } from './chaosState';

/** Tools under chaos. */
export function chaosTools(inner: ToolRunner, chaosState: ChaosState, clock: ChaosClock): ToolRunner {
  const { chaos, random, faults } = chaosState;
  return async (call, signal) => {
    const number = chaosState.nextTool();
    const outcome = faultyToolOutcome(chaos.toolFaults, { tool: call.name }, number, random);
    await clock.wait(outcome.delayMs, signal);
    if (outcome.type !== 'call' || outcome.delayMs > 0) faults.push(`${call.name}: ${describeFault(outcome)}`);
    if (outcome.type === 'timeout') return { problem: outcome.message, timedOut: true };
    if (outcome.type === 'response') return httpOutcome(outcome.status, outcome.body);
    const result = await inner(call, signal);
    return 'output' in result
      ? { output: injectedResult(chaos.contextAttacks, result.output, number, random) }
      : result;
  };
}

function describeFault(outcome: ReturnType<typeof faultyToolOutcome>): string {
  if (outcome.type === 'timeout') return outcome.message;
  return outcome.type === 'call' ? `slow by ${outcome.delayMs} ms` : `${outcome.status} ${outcome.body}`;
}

/**
 * Tools that return the responses recorded in a session, in order for each tool, with status and latency. Flakestorm itself
 * ignores these and lets the agent call its real tools.
 */
export function recordedTools(responses: readonly DeclaredResponse[], clock: ChaosClock): ToolRunner {
  const queues = new Map<string, DeclaredResponse[]>();
  for (const response of responses) queues.set(response.tool, [...(queues.get(response.tool) ?? []), response]);
  return async ({ name }, signal) => {
    const queue = queues.get(name);
    const next = queue?.shift();
    if (queue === undefined) return { problem: `there is no tool \`${name}\` in the session` };
    // This text reaches the model, and so the requests on tapes: it stays as it is.
    if (next === undefined) return { problem: `the session has no more recorded responses of \`${name}\`` };
    await clock.wait(next.latencyMs ?? 0, signal);
    const recorded = next.response === undefined ? null : jsonValue(next.response);
    const { status = 200 } = next;
    if (status !== 0 && status < 400) return { output: recorded };
    return httpOutcome(status, typeof recorded === 'string' ? recorded : compactJson(recorded));
  };
}

/** An HTTP status of 400 or more, or Flakestorm's 0, is an error to the agent. */
function httpOutcome(status: number, body: string): ToolCallOutcome {
  if (status !== 0 && status < 400) return { output: body };
  return { problem: status === 0 ? body : `HTTP ${status}: ${body}` };
}
