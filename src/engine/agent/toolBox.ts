import type { ToolSpec } from '../../core/cases/case';
import { isRecord } from '../../core/json/json';
import type { ToolCallRecord } from '../../core/runs/artifact';
import type { ToolCall } from '../../core/tapes/tape';
import { compactJson } from '../../core/wire/compactJson';
import { pause } from '../providers/pause';

/** What MoFA's mock tools answer when the case gives no result. */
const MOFA_DEFAULT_RESULT = 'Mock execution default';

/** The tools of a case, and what was done with them. */
export class ToolBox {
  readonly #tools: ReadonlyMap<string, ToolSpec>;
  readonly #timeoutMs: number;
  readonly #records: ToolCallRecord[] = [];

  constructor(tools: readonly ToolSpec[], timeoutMs: number) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#timeoutMs = timeoutMs;
  }

  /** The calls so far, in their order. */
  get records(): readonly ToolCallRecord[] {
    return this.#records;
  }

  /** The calls grouped by tool: MoFA asks one tool after the other what was done with it. Unknown tools come last. */
  get grouped(): readonly ToolCallRecord[] {
    const names = new Set([...this.#tools.keys(), ...this.#records.map(({ tool_name }) => tool_name)]);
    return [...names].flatMap((name) => this.#records.filter(({ tool_name }) => tool_name === name));
  }

  /** Calls a tool, and gives what the model is told about it. Rejects only with the signal's reason. */
  async call(call: ToolCall, signal: AbortSignal): Promise<string> {
    const started = performance.now();
    const outcome = await this.#execute(call, signal);
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

  async #execute({ name, arguments: args }: ToolCall, signal: AbortSignal): Promise<Outcome> {
    const tool = this.#tools.get(name);
    if (tool === undefined) {
      const known = [...this.#tools.keys()].join(', ') || 'none';
      return { problem: `there is no tool \`${name}\`; the tools are: ${known}` };
    }
    if (!isRecord(args)) return { problem: `the arguments of \`${name}\` are not a JSON object` };
    const tooSlow = tool.delayMs > this.#timeoutMs;
    if (tool.delayMs > 0) await pause(Math.min(tool.delayMs, this.#timeoutMs), signal);
    if (tooSlow) return { problem: `\`${name}\` timed out after ${this.#timeoutMs} ms`, timedOut: true };
    return { output: tool.result ?? MOFA_DEFAULT_RESULT };
  }
}

type Outcome = { readonly output: ToolCallRecord['output'] } | { readonly problem: string; readonly timedOut?: true };
