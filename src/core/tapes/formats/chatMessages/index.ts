import { omitUndefined } from '../../../json/fields';
import { isRecord, type Json } from '../../../json/json';
import { headLines, readLineNodes, startsWithObjectLine } from '../../../json/jsonLines';
import type { JsonArrayNode, JsonNode } from '../../../json/jsonNode';
import { beginningOutline, jsonOutline } from '../../../json/jsonOutline';
import { nodeAt } from '../../../json/jsonPath';
import { exactValue } from '../../../json/readJson';
import type { Message } from '../../../model/message';
import type { Tape } from '../../../model/tape';
import { readTextDocument } from '../../../syntax/textDocument';
import { lazy } from '../../../text/memo';
import type { ParseResult } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import { anthropicMessages } from '../../../wire/anthropic/index';
import { openaiChat } from '../../../wire/openaiChat/index';
import type { TapeFormat } from '../../format';
import { interactionProblems, jsonTreeBytes, LazyInteraction, LazyTape } from '../../lazyTape';
import { type TapeFile, textParts } from '../../tapeFile';
import { stringAt } from '../shared/httpTape';
import { any, hasMark, type Mark, markAt } from '../shared/marks';
import { lazyRequest } from '../shared/sessionLog';

/**
 * A conversation as a plain list of messages in the shape of a provider, alone or with little beside it, as agents and benchmarks keep it:
 * each message of the assistant is a response to those before it.
 */
export const chatMessagesFormat = {
  id: 'chat-messages',
  label: 'list of chat messages',
  family: 'conversation',
  extensions: ['json', 'jsonl', 'ndjson', 'traj'],
  ownEndings: ['traj'],
  syntax: 'json',
  looksLike,
  read,
} satisfies TapeFormat;

/** Where programs keep the list; the file itself where it is one. */
const LISTS = [
  '',
  'messages',
  'history',
  'traj',
  'trajectory',
  'conversation',
  'conversations',
  'chat_history',
] as const;

const MESSAGE: Mark = ['role', any('content', 'tool_calls')];
const LIST: Mark = any(...LISTS.map((path) => markAt(`${path}[]`, MESSAGE)));

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  const outline = jsonOutline(text);
  if (outline.isWhole && (outline.isOnly || !startsWithObjectLine(text))) return hasMark(text, outline, LIST);
  return startsWithObjectLine(text) && headLines(text, 1).some((line) => hasMark(line, beginningOutline(line), LIST));
}

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const { value: root, problems } = rootOf(text);
  if (root === undefined) return { format: 'chat-messages', interactions: [], problems };
  const conversations = (root.type === 'array' && isLines(text) ? root.items : [root]).map(
    (item) => new Conversation(item),
  );
  const calls = conversations.flatMap((conversation) => conversation.calls());
  const interactions = calls.map(
    ({ place, read: content }, index) =>
      new LazyInteraction(index, place, () => ({ content: content(), problems: [] })),
  );
  const name =
    stringAt(root, 'instance_id') ?? stringAt(root, 'task_id') ?? stringAt(root, 'name') ?? stringAt(root, 'id');
  return new LazyTape({ format: 'chat-messages', name, interactions, weight: jsonTreeBytes(root) }, () => [
    ...problems,
    ...interactionProblems(interactions),
  ]);
}

function isLines(text: TextParts): boolean {
  return startsWithObjectLine(text) && !jsonOutline(text).isOnly;
}

function rootOf(text: TextParts): ParseResult<JsonNode> {
  if (isLines(text)) return readLineNodes(text);
  const { roots, problems } = readTextDocument(text);
  return { value: roots[0], problems };
}

class Conversation {
  readonly #root: JsonNode;
  readonly #list: JsonArrayNode | undefined;
  readonly #said = lazy(() => this.#read());

  constructor(root: JsonNode) {
    const lists = LISTS.map((path) => nodeAt(root, path)).filter((node) => node?.type === 'array');
    this.#root = root;
    this.#list = lists.find((node) => node.items.some((item) => stringAt(item, 'role') !== undefined));
  }

  /** A call for each message of the assistant, and one for what was said after the last of them. */
  calls() {
    const items = this.#list?.items ?? [];
    const answers = items.flatMap((item, at) => (stringAt(item, 'role') === 'assistant' ? [at] : []));
    const isOpen = items.length > 0 && answers.at(-1) !== items.length - 1;
    const model = stringAt(this.#root, 'model') ?? stringAt(this.#root, 'info.config.agent.model.model_name');
    const request = (end: number) =>
      lazyRequest(omitUndefined({ model, tools: [], params: {} }), () => this.#said().slice(0, end).flat());
    const answered = answers.map((at) => ({
      place: items[at] ?? this.#root,
      read: () => ({
        kind: 'llm' as const,
        request: request(at),
        response: responseOf(this.#said()[at] ?? []),
      }),
    }));
    const last = items.at(-1) ?? this.#root;
    return isOpen
      ? [...answered, { place: last, read: () => ({ kind: 'llm' as const, request: request(items.length) }) }]
      : answered;
  }

  #read(): readonly (readonly Message[])[] {
    const messages = (this.#list?.items ?? []).map(exactValue);
    const protocol = messages.some(hasBlocks) ? anthropicMessages : openaiChat;
    return messages.map((message) => protocol.readRequest({ messages: [message] }).messages);
  }
}

/** Whether a message has blocks as Anthropic's API has them, and no other. */
function hasBlocks(message: Json): boolean {
  const content = isRecord(message) && Array.isArray(message.content) ? message.content : [];
  return content.some(
    (block: Json) => isRecord(block) && /^(?:tool_use|tool_result|thinking)$/.test(String(block.type)),
  );
}

function responseOf(messages: readonly Message[]) {
  const [message] = messages;
  const { content = null, parts, toolCalls = [] } = message ?? {};
  return { content, ...(parts && { parts }), toolCalls };
}
