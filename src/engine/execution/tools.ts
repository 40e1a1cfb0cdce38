import { formatToolMiss, toolMissFix } from '../../core/cases/tools/formatToolMiss';
import { RecordedResults } from '../../core/cases/tools/recordedResults';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../core/json/json';
import { copyWrittenNumber, writtenNumber } from '../../core/json/writtenNumbers';
import type { ToolCallRecord } from '../../core/model/artifact';
import type { ToolResult, ToolSpec } from '../../core/model/case';
import type { ToolCall } from '../../core/model/message';
import { t } from '../../core/text/l10n';
import { AgentError, ProviderError, requestTexts } from '../errors/runErrors';
import { pause } from '../process/pause';
import type { Recorder } from '../recording/recorder';

/** The outcome of a tool call: a result, or the problem that the model gets in its place. */
export type ToolCallOutcome = { readonly output: Json } | { readonly problem: string; readonly timedOut?: true };

/** Runs a tool. Rejects with the signal's reason, or with an `AgentError` if the run cannot go on. */
export type ToolRunner = (call: ToolCall, signal: AbortSignal) => Promise<ToolCallOutcome>;

/** The result of MoFA's mock tools when the case has none. */
const MOFA_DEFAULT_RESULT = 'Mock execution default';

/**
 * Tools that return the results in the case. A tool slower than `timeoutMs` times out. Rejects with an `AgentError`, as MoFA
 * ends a run, for a call that the case does not know, or whose arguments are no object; with a `ProviderError` for one that
 * has no result.
 */
export function mockTools(tools: readonly ToolSpec[], timeoutMs: number, recorder?: Recorder): ToolRunner {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const recorded = new Map(tools.flatMap((tool) => (hasResults(tool) ? [[tool.name, new RecordedResults(tool)]] : [])));
  return async ({ name, arguments: args }, signal) => {
    const tool = known.get(name);
    if (tool === undefined) throw unknownTool(name, [...known.keys()]);
    if (!isRecord(args))
      throw new AgentError(
        'agent',
        () => t('Invalid tool arguments for {0}: {1}', name, compactJson(args)),
        () => t('The arguments of a call have to be a JSON object.'),
      );
    const results = recorded.get(name);
    const taken = results && takeResult(results, recorder?.value(args) ?? args);
    const tooSlow = tool.delayMs > timeoutMs;
    if (tool.delayMs > 0) await pause(Math.min(tool.delayMs, timeoutMs), signal);
    if (tooSlow) return { problem: `\`${name}\` timed out after ${timeoutMs} ms`, timedOut: true };
    if (taken !== undefined) return 'error' in taken ? { problem: taken.error } : taken;
    const outcome = { output: tool.result ?? MOFA_DEFAULT_RESULT };
    copyWrittenNumber(tool, 'result', outcome, 'output');
    return outcome;
  };
}

/** Whether the arguments of a call decide on its result. */
function hasResults({ results, source }: ToolSpec): boolean {
  return results !== undefined || source !== undefined;
}

/** Throws a `ProviderError` for a miss, which is one like that of a request. */
function takeResult(results: RecordedResults, args: JsonRecord): ToolResult {
  const taken = results.take(args);
  if (taken !== undefined) return taken;
  const miss = results.explain(args);
  throw new ProviderError(
    'replay',
    () => formatToolMiss(miss),
    () => toolMissFix(miss),
    {
      requests: miss.nearest && requestTexts(miss.nearest.arguments, miss.arguments),
    },
  );
}

function unknownTool(name: string, known: readonly string[]): AgentError {
  const names = known.join(', ') || 'none';
  const fix = () => t('Add a tool with this name to [[tools]] of the case; its tools are: {0}.', names);
  return new AgentError('agent', () => t('Tool not found: {0}', name), fix);
}

/** The tools of a run, and a record of their calls. */
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

  /** The calls grouped by tool, in MoFA's order. Unknown tools come last. */
  get grouped(): readonly ToolCallRecord[] {
    const names = new Set([...this.#names, ...this.#records.map(({ tool_name }) => tool_name)]);
    return [...names].flatMap((name) => this.#records.filter(({ tool_name }) => tool_name === name));
  }

  /** Calls a tool, and gives the text for the model. Rejects like its runner. */
  async call(call: ToolCall, signal: AbortSignal): Promise<string> {
    const started = performance.now();
    const outcome = await this.#run(call, signal);
    const record = {
      tool_name: call.name,
      input: call.arguments,
      output: 'output' in outcome ? outcome.output : null,
      success: 'output' in outcome,
      duration_ms: Math.round(performance.now() - started),
      timed_out: 'timedOut' in outcome,
    };
    copyWrittenNumber(outcome, 'output', record, 'output');
    this.#records.push(record);
    if ('problem' in outcome) return `Error: ${outcome.problem}`;
    return typeof outcome.output === 'string'
      ? outcome.output
      : (writtenNumber(outcome, 'output') ?? compactJson(outcome.output));
  }
}
