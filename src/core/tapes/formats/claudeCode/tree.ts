import { asRecord, asRecords, asString } from '../../../json/fields';
import { isRecord, type Json } from '../../../json/json';
import type { JsonLine } from '../../../json/jsonLines';
import type { ChatResponse, Message } from '../../../model/message';
import { lazy } from '../../../text/memo';
import { anthropicMessages } from '../../../wire/anthropic/index';
import { blocksOf } from '../../../wire/anthropic/read';
import { saysSomething } from '../../lazyTape';
import type { UnheardRecord } from '../../notRead';

/** A line that is part of the tree. */
export interface TreeEntry {
  readonly order: number;
  readonly line: JsonLine;
  /** Always an earlier line, so that every path to the root is finite. */
  readonly parent: TreeEntry | undefined;
  /** The whole response that this line is part of, if any. */
  readonly response: SplitResponse | undefined;
}

/** A response of the API, which may be split over several lines. */
export interface SplitResponse {
  readonly entries: TreeEntry[];
}

/** The conversation before an entry. */
interface ReadConversation {
  readonly entry: TreeEntry;
  readonly messages: readonly Message[];
  /** The responses that are in it, and the lines that are, or that belong elsewhere. */
  readonly seen: Set<unknown>;
  /** How many of its messages are before each of the entries that it was read for. */
  readonly counts: Map<TreeEntry, number>;
}

/** The messages of a transcript as a tree: a session may go back to an earlier message and branch. */
export class ClaudeTree {
  readonly entries: readonly TreeEntry[];
  /** In the order of their first lines. */
  readonly responses: readonly SplitResponse[];
  /** The lines that are no part of the tree. */
  readonly #loose: readonly JsonLine[];
  readonly #messages = new Map<TreeEntry, readonly Message[]>();
  readonly #responses = new Map<SplitResponse, ChatResponse>();
  /** The conversation that was read last: most begin with the one before, and are as long as the session. */
  #last: ReadConversation | undefined;
  readonly #results = lazy(() => resultsIn(this.entries));

  constructor(lines: readonly JsonLine[]) {
    const planter = new TreeBuilder(lines);
    this.entries = planter.entries;
    this.responses = planter.responses;
    this.#loose = planter.loose;
  }

  response(response: SplitResponse): ChatResponse {
    const known = this.#responses.get(response) ?? anthropicMessages.readResponse(joinBlocks(response));
    this.#responses.set(response, known);
    return known;
  }

  /** The lines that may hold what was said, and of which no message was read. A response is an interaction of its own. */
  unread(): readonly UnheardRecord[] {
    const isMessage = (line: JsonLine): boolean => isRecord(line.value.message);
    // Lines without a message are about a session, unless there are no others.
    const hasMessages = this.entries.some(({ line }) => isMessage(line));
    const mayTell = (line: JsonLine): boolean => (hasMessages ? isMessage(line) : line.text('type') !== 'system');
    const isUnread = (entry: TreeEntry): boolean =>
      entry.response === undefined && mayTell(entry.line) && !readMessages(entry).some(saysSomething);
    const lines = [...this.#loose.filter(mayTell), ...this.entries.filter(isUnread).map(({ line }) => line)];
    return lines.map(({ source }) => ({ place: source }));
  }

  /** The conversation before an entry: the path from the root to it, without the entry itself. */
  conversationBefore(entry: TreeEntry): readonly Message[] {
    const last = this.#last;
    const count = last?.counts.get(entry);
    // It is asked for several times for each call, and may be long.
    if (last !== undefined && count !== undefined)
      return count === last.messages.length ? last.messages : last.messages.slice(0, count);
    const more = last && this.#stepsBetween(last.entry, entry);
    const way = more ?? ancestorsOf(entry.parent);
    const seen = more && last ? last.seen : new Set<unknown>();
    for (const step of way) if (step.response === undefined) seen.add(step);
    const added = way.flatMap((step) => {
      const { response } = step;
      if (response === undefined) return this.#messagesOf(step);
      if (seen.has(response)) return [];
      seen.add(response);
      return [this.#responseMessage(response), ...this.#strayResults(response, entry, seen)];
    });
    const messages = more && last ? last.messages.concat(added) : added;
    const counts = more && last ? last.counts : new Map<TreeEntry, number>();
    counts.set(entry, messages.length);
    this.#last = { entry, messages, seen, counts };
    return messages;
  }

  /**
   * The path from an entry to a later one, with the first and without the last, if that is all that the conversation before the later
   * one has besides. Undefined if the path leads elsewhere, or a result stands beside it that may belong to an earlier response.
   */
  #stepsBetween(from: TreeEntry, to: TreeEntry): TreeEntry[] | undefined {
    const way: TreeEntry[] = [];
    let step = to.parent;
    for (; step !== undefined && step.order > from.order; step = step.parent) way.push(step);
    if (step !== from) return undefined;
    way.push(from);
    const isOnWay = new Set(way);
    const between = this.entries.slice(from.order, to.order);
    return between.some((entry) => !isOnWay.has(entry) && resultIds(entry).length > 0) ? undefined : way.reverse();
  }

  conversationWith(entry: TreeEntry): readonly Message[] {
    return [...this.conversationBefore(entry), ...this.#messagesOf(entry)];
  }

  /** Results of parallel calls are children of other lines of the response, beside the path. */
  #strayResults(response: SplitResponse, before: TreeEntry, seen: Set<unknown>): Message[] {
    const entries = this.response(response).toolCalls.flatMap(({ id }) => this.#results().get(id) ?? []);
    const strays = [...new Set(entries)].filter((entry) => entry.order < before.order && !seen.has(entry));
    for (const stray of strays) seen.add(stray);
    return strays.flatMap((stray) => this.#messagesOf(stray));
  }

  #responseMessage(response: SplitResponse): Message {
    const { content, parts, toolCalls } = this.response(response);
    return { role: 'assistant', content, parts, toolCalls };
  }

  #messagesOf(entry: TreeEntry): readonly Message[] {
    const known = this.#messages.get(entry) ?? readMessages(entry);
    this.#messages.set(entry, known);
    return known;
  }
}

/** The lines with the result of each call, by its id. */
function resultsIn(entries: readonly TreeEntry[]): ReadonlyMap<string, readonly TreeEntry[]> {
  const results = new Map<string, TreeEntry[]>();
  for (const entry of entries) {
    for (const id of resultIds(entry)) {
      const known = results.get(id) ?? [];
      results.set(id, known);
      known.push(entry);
    }
  }
  return results;
}

function ancestorsOf(entry: TreeEntry | undefined): TreeEntry[] {
  const way: TreeEntry[] = [];
  for (let step = entry; step !== undefined; step = step.parent) way.push(step);
  return way.reverse();
}

function readMessages({ line }: TreeEntry): readonly Message[] {
  if (line.value.type !== 'user') return [];
  const { content } = asRecord(line.value.message);
  return anthropicMessages.readRequest({ messages: [{ role: 'user', content: content ?? '' }] }).messages;
}

function resultIds({ line }: TreeEntry): string[] {
  const results = asRecords(asRecord(line.value.message).content).filter(({ type }) => type === 'tool_result');
  return results.flatMap(({ tool_use_id: id }) => asString(id) ?? []);
}

/** The response as the API sent it: each line has its own blocks, and the token counts known at that time. */
function joinBlocks({ entries }: SplitResponse): Record<string, Json> {
  const messages = entries.map(({ line }) => asRecord(line.value.message));
  const content = messages.flatMap((message) => blocksOf(message.content));
  const stop = messages.findLast((message) => typeof message.stop_reason === 'string')?.stop_reason;
  return { ...messages.at(-1), content, stop_reason: stop ?? null };
}

/** Builds the tree from the lines. */
class TreeBuilder {
  readonly entries: TreeEntry[] = [];
  readonly responses: SplitResponse[] = [];
  readonly loose: JsonLine[] = [];
  readonly #byUuid = new Map<string, TreeEntry>();
  readonly #byMessage = new Map<string, SplitResponse>();
  /** The latest line of the session, and of each of its subagents. */
  readonly #latest = new Map<string, TreeEntry>();
  readonly #isFlat: boolean;
  readonly #hasIds: boolean;

  constructor(lines: readonly JsonLine[]) {
    this.#isFlat = !lines.some((line) => line.text('parentUuid') !== undefined);
    this.#hasIds = lines.some((line) => line.text('uuid') !== undefined);
    for (const line of lines) this.#plant(line);
  }

  #plant(line: JsonLine): void {
    const uuid = line.text('uuid') ?? this.#idOf(line);
    if (uuid === undefined) this.loose.push(line);
    // A resumed session repeats lines of the previous one.
    if (uuid === undefined || this.#byUuid.has(uuid)) return;
    const branch = `${line.text('agentId')} ${line.isTrue('isSidechain')}`;
    const parent = this.#parentOf(line, branch);
    const response = line.text('type') === 'assistant' ? this.#responseOf(line, uuid) : undefined;
    const entry: TreeEntry = { order: this.entries.length, line, parent, response };
    response?.entries.push(entry);
    this.entries.push(entry);
    this.#byUuid.set(uuid, entry);
    this.#latest.set(branch, entry);
  }

  /** A stream has no ids: its messages are in their order. */
  #idOf(line: JsonLine): string | undefined {
    const isMessage = !this.#hasIds && isRecord(line.value.message);
    return isMessage ? `message ${this.entries.length}` : undefined;
  }

  /** A response without a parent follows the line before it; so does every line of a file without parents. */
  #parentOf(line: JsonLine, branch: string): TreeEntry | undefined {
    const named = line.text('parentUuid');
    const parent = named === undefined ? undefined : this.#byUuid.get(named);
    if (parent !== undefined) return parent;
    const begins = !this.#isFlat && named === undefined && line.text('type') !== 'assistant';
    return begins ? undefined : this.#latest.get(branch);
  }

  #responseOf(line: JsonLine, uuid: string): SplitResponse {
    const id = line.text('message', 'id') ?? uuid;
    const known = this.#byMessage.get(id);
    if (known !== undefined) return known;
    const response: SplitResponse = { entries: [] };
    this.#byMessage.set(id, response);
    this.responses.push(response);
    return response;
  }
}
