import { isRecord, type Json } from '../../core/json/json';
import type { ToolSpec } from '../../core/model/case';
import type { ToolCall } from '../../core/model/message';
import { pause } from '../providers/pause';

/** What a call to a tool comes to: what it answers, or what the model is told went wrong. */
export type ToolOutcome = { readonly output: Json } | { readonly problem: string; readonly timedOut?: true };

/** Does what a tool does. Rejects only with the signal's reason. */
export type ToolRunner = (call: ToolCall, signal: AbortSignal) => Promise<ToolOutcome>;

/** What MoFA's mock tools answer when the case gives no result. */
const MOFA_DEFAULT_RESULT = 'Mock execution default';

/** Tools that answer what the case says. A tool slower than `timeoutMs` times out. */
export function mockTools(tools: readonly ToolSpec[], timeoutMs: number): ToolRunner {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  return async ({ name, arguments: args }, signal) => {
    const tool = known.get(name);
    if (tool === undefined) {
      const names = [...known.keys()].join(', ') || 'none';
      return { problem: `there is no tool \`${name}\`; the tools are: ${names}` };
    }
    if (!isRecord(args)) return { problem: `the arguments of \`${name}\` are not a JSON object` };
    const tooSlow = tool.delayMs > timeoutMs;
    if (tool.delayMs > 0) await pause(Math.min(tool.delayMs, timeoutMs), signal);
    if (tooSlow) return { problem: `\`${name}\` timed out after ${timeoutMs} ms`, timedOut: true };
    return { output: tool.result ?? MOFA_DEFAULT_RESULT };
  };
}
