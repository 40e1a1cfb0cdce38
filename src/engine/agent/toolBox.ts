import { compactJson } from '../../core/json/json';
import type { ToolCallRecord } from '../../core/model/artifact';
import type { ToolCall } from '../../core/model/message';
import type { ToolRunner } from './toolRunner';

/** The tools of a run, and what was done with them. */
export class ToolBox {
  readonly #names: readonly string[];
  readonly #run: ToolRunner;
  readonly #records: ToolCallRecord[] = [];

  /** `names`: the tools in the order in which the case declares them. */
  constructor(names: readonly string[], run: ToolRunner) {
    this.#names = names;
    this.#run = run;
  }

  /** The calls so far, in their order. */
  get records(): readonly ToolCallRecord[] {
    return this.#records;
  }

  /** The calls grouped by tool: MoFA asks one tool after the other what was done with it. Unknown tools come last. */
  get grouped(): readonly ToolCallRecord[] {
    const names = new Set([...this.#names, ...this.#records.map(({ tool_name }) => tool_name)]);
    return [...names].flatMap((name) => this.#records.filter(({ tool_name }) => tool_name === name));
  }

  /** Calls a tool, and gives what the model is told about it. Rejects only with the signal's reason. */
  async call(call: ToolCall, signal: AbortSignal): Promise<string> {
    const started = performance.now();
    const outcome = await this.#run(call, signal);
    this.#records.push({
      tool_name: call.name,
      input: call.arguments,
      output: 'output' in outcome ? outcome.output : null,
      success: 'output' in outcome,
      duration_ms: Math.round(performance.now() - started),
      timed_out: 'timedOut' in outcome,
    });
    if ('problem' in outcome) return `Error: ${outcome.problem}`;
    return typeof outcome.output === 'string' ? outcome.output : compactJson(outcome.output);
  }
}
