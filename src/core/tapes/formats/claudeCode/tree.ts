import { asRecord, asRecords, asString } from '../../../json/fields';
import type { Json } from '../../../json/json';
import type { JsonLine } from '../../../json/jsonLines';
import type { ChatResponse, Message } from '../../../model/message';
import { lazy } from '../../../text/memo';
import { anthropicMessages } from '../../../wire/anthropic/index';
import { blocksOf } from '../../../wire/anthropic/read';

/** A line that has a place in the tree. */
export interface TreeEntry {
  readonly order: number;
  readonly line: JsonLine;
  /** Always an earlier line, so that every way up ends. */
  readonly parent: TreeEntry | undefined;
  /** For a line of an answer: all of it. */
  readonly answer: SplitResponse | undefined;
}

/** One answer of the API, which may be split over several lines. */
export interface SplitResponse {
  readonly entries: TreeEntry[];
}

/** The messages of a transcript as the tree that they are: a session may go back and take another way. */
export class ClaudeTree {
  readonly entries: readonly TreeEntry[];
  /** In the order of their first lines. */
  readonly responses: readonly SplitResponse[];
  readonly #messages = new Map<TreeEntry, readonly Message[]>();
  readonly #responses = new Map<SplitResponse, ChatResponse>();
  readonly #results = lazy(() => resultsIn(this.entries));

  constructor(lines: readonly JsonLine[]) {
    const planter = new TreeBuilder(lines);
    this.entries = planter.entries;
    this.responses = planter.responses;
  }

  response(answer: SplitResponse): ChatResponse {
    const known = this.#responses.get(answer) ?? anthropicMessages.readResponse(joinBlocks(answer));
    this.#responses.set(answer, known);
    return known;
  }

  /** What had been said when the entry came: the way from the root to it, without itself. */
  conversationBefore(entry: TreeEntry): Message[] {
    const way = ancestorsOf(entry.parent);
    const told = new Set<unknown>(way.filter(({ answer }) => answer === undefined));
    return way.flatMap((step) => {
      const { answer } = step;
      if (answer === undefined) return this.#messagesOf(step);
      if (told.has(answer)) return [];
      told.add(answer);
      return [this.#answerMessage(answer), ...this.#strayResults(answer, entry, told)];
    });
  }

  conversationWith(entry: TreeEntry): Message[] {
    return [...this.conversationBefore(entry), ...this.#messagesOf(entry)];
  }

  /** Results of calls made side by side hang on lines of the answer, beside the way. */
  #strayResults(answer: SplitResponse, before: TreeEntry, told: Set<unknown>): Message[] {
    const entries = this.response(answer).toolCalls.flatMap(({ id }) => this.#results().get(id) ?? []);
    const strays = [...new Set(entries)].filter((entry) => entry.order < before.order && !told.has(entry));
    for (const stray of strays) told.add(stray);
    return strays.flatMap((stray) => this.#messagesOf(stray));
  }

  #answerMessage(answer: SplitResponse): Message {
    const { content, parts, toolCalls } = this.response(answer);
    return { role: 'assistant', content, ...(parts && { parts }), toolCalls };
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

/** The answer as the API gave it: every line has its own blocks, and the counts as far as they were known. */
function joinBlocks({ entries }: SplitResponse): Record<string, Json> {
  const messages = entries.map(({ line }) => asRecord(line.value.message));
  const content = messages.flatMap((message) => blocksOf(message.content));
  const stop = messages.findLast((message) => typeof message.stop_reason === 'string')?.stop_reason;
  return { ...messages.at(-1), content, stop_reason: stop ?? null };
}

/** Finds the place of every line. */
class TreeBuilder {
  readonly entries: TreeEntry[] = [];
  readonly responses: SplitResponse[] = [];
  readonly #byUuid = new Map<string, TreeEntry>();
  readonly #byMessage = new Map<string, SplitResponse>();
  /** The latest line of the session, and of each agent beside it. */
  readonly #latest = new Map<string, TreeEntry>();
  readonly #isFlat: boolean;

  constructor(lines: readonly JsonLine[]) {
    this.#isFlat = !lines.some((line) => line.text('parentUuid') !== undefined);
    for (const line of lines) this.#plant(line);
  }

  #plant(line: JsonLine): void {
    const uuid = line.text('uuid');
    // A session that was resumed has lines of the one before it again.
    if (uuid === undefined || this.#byUuid.has(uuid)) return;
    const branch = `${line.text('agentId')} ${line.isTrue('isSidechain')}`;
    const parent = this.#parentOf(line, branch);
    const answer = line.text('type') === 'assistant' ? this.#answerOf(line, uuid) : undefined;
    const entry: TreeEntry = { order: this.entries.length, line, parent, answer };
    answer?.entries.push(entry);
    this.entries.push(entry);
    this.#byUuid.set(uuid, entry);
    this.#latest.set(branch, entry);
  }

  /** An answer without a parent answers what stands before it; so do all lines of a file in which nothing has one. */
  #parentOf(line: JsonLine, branch: string): TreeEntry | undefined {
    const named = line.text('parentUuid');
    const parent = named === undefined ? undefined : this.#byUuid.get(named);
    if (parent !== undefined) return parent;
    const begins = !this.#isFlat && named === undefined && line.text('type') !== 'assistant';
    return begins ? undefined : this.#latest.get(branch);
  }

  #answerOf(line: JsonLine, uuid: string): SplitResponse {
    const id = line.text('message', 'id') ?? uuid;
    const known = this.#byMessage.get(id);
    if (known !== undefined) return known;
    const answer: SplitResponse = { entries: [] };
    this.#byMessage.set(id, answer);
    this.responses.push(answer);
    return answer;
  }
}
