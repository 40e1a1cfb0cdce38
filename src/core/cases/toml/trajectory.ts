import type { Json } from '../../json/json';
import type { HttpExchange } from '../../model/http';
import type { ProtocolId } from '../../model/interaction';
import type { ChatRequest, ChatResponse, Message } from '../../model/message';
import { PROTOCOLS } from '../../wire/registry';

/** One call of the model in a run. */
export interface ModelCall {
  readonly request: ChatRequest;
  readonly response: ChatResponse;
  /** Where it went, if that is on the tape. */
  readonly http?: Pick<HttpExchange, 'url'> | undefined;
  /** Its position among all requests of the agent, from 0. */
  readonly number: number;
  /** Its recording on the tape of the run, from 0; absent if there is none. */
  readonly index?: number;
  /** The protocol that an agent of the user's own spoke; absent where the run itself knows how each tool ended. */
  readonly api?: ProtocolId | undefined;
}

/** A call of a tool, with the result that the model got. */
export interface ToolStep {
  readonly name: string;
  readonly arguments: Json;
  /** The position, among the calls of the model, of the one that called the tool. */
  readonly at: number;
  readonly isError: boolean;
  /** There is a result, in a protocol in which none can say that the tool failed. */
  readonly isUntold?: true;
  /** Absent if no later request has it. */
  readonly result?: string;
}

/**
 * The calls of tools in a run, in the order of the responses. `hasFailed` tells of the nth call what the messages to the
 * model do not tell.
 */
export function toolSteps(
  calls: readonly ModelCall[],
  hasFailed: (call: number) => boolean = () => false,
): readonly ToolStep[] {
  const called = calls.flatMap(({ response }, at) =>
    response.toolCalls.map((call, position) => ({ ...call, at, message: resultMessage(calls, at, position) })),
  );
  return called.map(({ name, arguments: args, at, message }, call) => ({
    name,
    arguments: args,
    at,
    isError: message?.isError === true || hasFailed(call),
    ...(message && isUntold(calls[at]) && { isUntold: true }),
    ...(message && { result: messageText(message) }),
  }));
}

const TELLING = new Set(PROTOCOLS.flatMap(({ id, marksToolErrors }) => (marksToolErrors ? [id] : [])));

function isUntold(call: ModelCall | undefined): boolean {
  return call?.api !== undefined && !TELLING.has(call.api);
}

/** The message with the result of a call: in the next request, or else in the first later one that names the call. */
function resultMessage(calls: readonly ModelCall[], at: number, position: number): Message | undefined {
  const id = calls[at]?.response.toolCalls[position]?.id ?? '';
  const answers = lastResults(calls[at + 1]?.request.messages ?? []);
  const answer = answers.find(({ toolCallId }) => toolCallId === id && id !== '');
  if (answer !== undefined) return answer;
  const later = calls.slice(at + 1).flatMap(({ request }) => request.messages);
  const named = id === '' ? undefined : later.find(({ toolCallId }) => toolCallId === id);
  // Some protocols have no ids: there, results come in the order of the calls.
  const isNamed = answers.some(({ toolCallId = '' }) => toolCallId !== '');
  return named ?? (isNamed ? undefined : answers[position]);
}

/** The results at the end of a request, after the last response of the model. */
function lastResults(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(last + 1).filter(({ role }) => role === 'tool');
}

/** The text of a message, also where it has parts. */
export function messageText({ content, parts = [] }: Pick<Message, 'content' | 'parts'>): string {
  return content ?? parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
