import { canonicalJson } from '../../json/canonicalJson';
import { asRecord } from '../../json/fields';
import { compactJson, type Json } from '../../json/json';
import { parseJson } from '../../json/readJson';
import type { ToolResult } from '../../model/case';
import type { Interaction, RecordedInteraction } from '../../model/interaction';
import type { ChatRequest, Message, ToolDefinition } from '../../model/message';
import type { Tape } from '../../model/tape';
import type { WritableFormat } from '../../tapes/writableFormat';
import { t } from '../../text/l10n';
import { newCaseText } from './newCase';
import { type TapedPrompt, type TapedTool, tapedPrompt } from './tapedPrompt';
import { writeToolResults } from './writeToolResults';

/** A case made from a run that was traced rather than recorded. */
interface CaseOfRun {
  readonly toml: string;
  /** For its tape: what the models said to this prompt, and requests as the built-in agent sends them. */
  readonly interactions: readonly RecordedInteraction[];
  /** What is missing in the trace or left out of the case: phrases, without repetition. */
  readonly lacks: readonly string[];
}

/** The text of the tape of such a case. */
export function tapeOfCase(name: string, { interactions }: CaseOfRun, format: WritableFormat): string {
  return format.serialise(name, interactions);
}

/**
 * Makes a case from a run: its prompt, its tools with what they returned, and the conversation for its tape. `tape` is the path of
 * that tape, relative to the case. Undefined if no prompt of the run was answered.
 */
export function caseOfRun(
  run: Tape,
  { name, tape }: { readonly name: string; readonly tape: string },
): CaseOfRun | undefined {
  const models = run.interactions.filter(({ kind, request }) => kind === 'llm' && request !== undefined);
  const first = models.find(({ request }) => request?.messages.some(({ role }) => role === 'user'));
  const taped = tapedPrompt(first === undefined ? [] : [first]);
  if (first?.request === undefined || taped === undefined) return undefined;
  const start = first.request;
  const conversation = models.filter(({ request }) => request !== undefined && continues(request, start));
  const results = resultsByTool(run.interactions);
  const tools = toolsOfRun(taped, results);
  const system = taped.system ?? '';
  const { text } = newCaseText({
    name,
    agent: { type: 'model', provider: 'open_ai_compatible' },
    tape,
    isRecorded: true,
    taped: { ...taped, system, tools },
    model: start.model,
  });
  const recordings = tools.flatMap((tool, index) => {
    const own = results.get(tool.name) ?? [];
    return own.length > 1 ? [{ index, results: own }] : [];
  });
  const sent = tools.map(({ name: tool, description, schema }) => ({ name: tool, description, schema }));
  return {
    toml: writeToolResults(text, recordings),
    interactions: conversation.map(({ request, response, timing }) => ({
      ...(request && { request: asSent(request, taped.system, sent) }),
      response,
      timing,
    })),
    lacks: [
      ...new Set(run.problems.map(({ message }) => message)),
      ...lackingParts(start, taped.system, results),
      ...leftOut(
        conversation.flatMap(({ request }) => request ?? []),
        models.length - conversation.length,
      ),
    ],
  };
}

/** Whether a request begins with the messages of the first one. */
function continues({ messages }: ChatRequest, { messages: before }: ChatRequest): boolean {
  return before.every(
    ({ role, content }, index) => messages[index]?.role === role && messages[index]?.content === content,
  );
}

/** A request as the built-in agent sends it: with a system prompt, with the case's tools, and without parameters. */
function asSent(request: ChatRequest, system: string | undefined, tools: readonly ToolDefinition[]): ChatRequest {
  const empty: readonly Message[] = system === undefined ? [{ role: 'system', content: '', toolCalls: [] }] : [];
  // Some conventions name the tool of a result, which is in the call.
  const messages = request.messages.map((message) => (message.role === 'tool' ? withoutName(message) : message));
  return { ...request, messages: [...empty, ...messages], tools, params: {} };
}

function withoutName({ name: _, ...message }: Message): Message {
  return message;
}

function lackingParts(
  { tools, model }: ChatRequest,
  system: string | undefined,
  results: ReturnType<typeof resultsByTool>,
): string[] {
  const defined = new Set(tools.flatMap(({ name, schema }) => (schema === undefined ? [] : [name])));
  const without = [...results.keys()].filter((name) => !defined.has(name));
  const unanswered = [...results].filter(([, own]) => own.length === 0).map(([name]) => name);
  return [
    ...(system === undefined ? [t('the trace has no system prompt: that of the case is empty')] : []),
    ...without.map((name) => t('the trace has no definition of {0}: its schema in the case is empty', name)),
    ...unanswered.map((name) => t('the trace has no result of {0}: it returns an empty object', name)),
    ...(model === undefined ? [t('the trace does not name the model')] : []),
  ];
}

function leftOut(requests: readonly ChatRequest[], others: number): string[] {
  const params = [...new Set(requests.flatMap(({ params: sent }) => Object.keys(sent)))];
  const calls =
    others === 1
      ? t('1 other call of a model is left out: it does not continue the conversation')
      : t('{0} other calls of models are left out: they do not continue the conversation', others);
  return [
    ...(params.length > 0
      ? [t('not in the requests of the built-in agent, which does not send it: {0}', params.join(', '))]
      : []),
    ...(others > 0 ? [calls] : []),
  ];
}

/** What each tool that was called returned for which arguments, by its name. */
type ResultsByTool = ReadonlyMap<string, readonly ToolResult[]>;

/** Reads it from the messages of requests, and from the calls of tools on the tape. */
function resultsByTool(interactions: readonly Interaction[]): ResultsByTool {
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
function toolsOfRun({ tools }: TapedPrompt, results: ResultsByTool): TapedTool[] {
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
