import { canonicalJson } from '../../json/canonicalJson';
import { asRecord } from '../../json/fields';
import { compactJson, type Json } from '../../json/json';
import { parseJson } from '../../json/readJson';
import type { ToolResult } from '../../model/case';
import type { Interaction } from '../../model/interaction';
import type { TapedPrompt, TapedTool } from './tapedPrompt';

/** What each tool that was called returned for which arguments, by its name. */
type ResultsByTool = ReadonlyMap<string, readonly ToolResult[]>;

/** Reads it from the messages of requests, and from the calls of tools on the tape. */
export function resultsByTool(interactions: readonly Interaction[]): ResultsByTool {
  const found = new ResultsFound();
  for (const { request, response } of interactions) {
    for (const { name } of response?.toolCalls ?? []) found.of(name);
    const messages = request?.messages ?? [];
    const calls = new Map(messages.flatMap(({ toolCalls }) => toolCalls).map((call) => [call.id, call]));
    for (const { toolCallId, content, isError } of messages) {
      const call = toolCallId ? calls.get(toolCallId) : undefined;
      if (call !== undefined) found.add(call.name, call.arguments, content, isError === true);
    }
  }
  for (const { kind, request, response } of interactions) {
    const [call] = kind === 'tool' ? (request?.messages[0]?.toolCalls ?? []) : [];
    if (call === undefined || response === undefined) continue;
    found.add(call.name, call.arguments, response.error ?? response.content, response.error !== undefined);
  }
  return found.results();
}

class ResultsFound {
  readonly #byTool = new Map<string, Map<string, ToolResult>>();

  of(name: string): Map<string, ToolResult> {
    const known = this.#byTool.get(name) ?? new Map<string, ToolResult>();
    this.#byTool.set(name, known);
    return known;
  }

  /** The first result for some arguments counts: later requests repeat it. */
  add(name: string, value: Json, content: string | null, isError: boolean): void {
    const args = asRecord(value);
    const known = this.of(name);
    const key = canonicalJson(args);
    const text = content ?? '';
    if (known.has(key)) return;
    known.set(key, isError ? { arguments: args, error: text } : { arguments: args, output: outputOf(text) });
  }

  results(): ResultsByTool {
    const named = [...this.#byTool].filter(([name]) => name !== '');
    return new Map(named.map(([name, results]) => [name, [...results.values()]]));
  }
}

/** The value, if the agent would serialise it to the same text; otherwise the text. */
function outputOf(text: string): Json {
  const value = parseJson(text);
  return value !== undefined && typeof value !== 'string' && compactJson(value) === text ? value : text;
}

/** The tools of a case: those that the request defines, and those that were called without a definition. */
export function toolsOfRun({ tools }: TapedPrompt, results: ResultsByTool): TapedTool[] {
  const known = new Set(tools.map(({ name }) => name));
  const others = [...results.keys()].filter((name) => !known.has(name));
  const all = [...tools, ...others.map((name) => ({ name, description: '', schema: {} }))];
  return all.map(({ name, description, schema }) => {
    const own = results.get(name) ?? [];
    return { name, description, schema, ...(own.length <= 1 && { result: firstOutput(own) }) };
  });
}

function firstOutput(results: readonly ToolResult[]): Json {
  const [first] = results;
  return first !== undefined && 'output' in first ? first.output : {};
}
