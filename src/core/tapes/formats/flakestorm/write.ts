import { type Json, prettyJson } from '../../../json/json';
import { parseExactJson } from '../../../json/readJson';
import { rememberText } from '../../../json/writtenNumbers';
import type { InteractionKind, RecordedInteraction } from '../../../model/interaction';
import type { ChatRequest, ChatResponse } from '../../../model/message';
import { message } from '../../../text/l10n';
import { writeYaml } from '../../../yaml/writeYaml';
import type { Destination, WritableSubset } from '../../format';
import { type Dialects, writeDocument } from '../shared/writeDocument';

/** Flakestorm refuses a session without an input, so tools alone are not enough. */
export const WRITABLE_SESSION: WritableSubset = {
  description: message('one thing that a user says, and the results of tools'),
  select(interactions) {
    const call = interactions.find(({ kind = 'llm', request }) => MESSAGE_KINDS.has(kind) && inputIndex(request) >= 0);
    return call === undefined ? [] : [call, ...interactions.filter(({ kind }) => kind === 'tool')];
  },
};

const MESSAGE_KINDS: ReadonlySet<InteractionKind> = new Set(['llm', 'script']);

/** The index of the last user message; -1 if there is none. */
function inputIndex(request: ChatRequest | undefined): number {
  return (request?.messages ?? []).findLastIndex(({ role, content }) => role === 'user' && content);
}

/**
 * A session: the last user message is its input, and the messages
 * before it are the context. The format has no place for responses of the model.
 */
export function writeSession(
  name: string,
  session: readonly RecordedInteraction[],
  into: Destination | undefined,
): string {
  const [call, ...tools] = session;
  const messages = call?.request?.messages ?? [];
  const input = inputIndex(call?.request);
  const context = messages.filter((_, index) => index < input);
  const document = {
    id: name,
    name,
    source: 'manual',
    captured_at: session.find(({ timing }) => timing?.recordedAt)?.timing?.recordedAt,
    input: messages[input]?.content ?? '',
    context: context.length === 0 ? undefined : context.map(({ role, content }) => ({ role, content })),
    tool_responses: tools.map(writeTool),
    contract: 'default',
  };
  return writeDocument(document, into, DIALECTS);
}

const DIALECTS: Dialects = {
  recorded: ['json', 'yaml'],
  json: (session) => prettyJson(session),
  yaml: (session) =>
    writeYaml(session, { width: 80, plainness: 'ascii', binaryColumns: 76, binaryTag: '!!binary |', blocks: true }),
};

function writeTool({ request, response, timing }: RecordedInteraction): Json {
  const [call] = (request?.messages ?? []).flatMap(({ toolCalls }) => toolCalls);
  const tool: Record<string, Json> = { tool: call?.name ?? '', response: writeResponse(response) };
  if (response?.isJson) rememberText(tool, 'response', response.content);
  if (response?.error !== undefined) tool.status = Number(/^HTTP (\d{3})/.exec(response.error)?.[1] ?? 0);
  if (timing?.durationMs !== undefined) tool.latency_ms = Math.round(timing.durationMs);
  return tool;
}

function writeResponse({ content, isJson }: ChatResponse = { content: null, toolCalls: [] }): Json {
  return isJson && content !== null ? (parseExactJson(content) ?? content) : content;
}
