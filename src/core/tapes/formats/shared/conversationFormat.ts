import { asRecord, asString, omitUndefined } from '../../../json/fields';
import type { Json, JsonRecord } from '../../../json/json';
import { headLines, jsonLineAt, readJsonLines, startsWithObjectLine } from '../../../json/jsonLines';
import type { JsonNode } from '../../../json/jsonNode';
import { beginningOutline, jsonOutline } from '../../../json/jsonOutline';
import { keysOf, nodeAt } from '../../../json/jsonPath';
import { exactValue, readJson } from '../../../json/readJson';
import type { ChatResponse, Message, Part, ToolDefinition } from '../../../model/message';
import type { Tape } from '../../../model/tape';
import type { Usage } from '../../../model/usage';
import { weakMemo } from '../../../text/memo';
import type { Problem, Span } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import { textContent } from '../../../wire/shared/messages';
import type { TapeFormat } from '../../format';
import { type InteractionContent, interactionProblems, LazyInteraction, LazyTape } from '../../lazyTape';
import { hasMark, type Mark, markAt } from '../../marks';
import { type UnheardRecord, unreadRecords } from '../../notRead';
import { type TapeFile, textParts } from '../../tapeFile';
import { stringAt } from './httpTape';
import { type LoggedCall, lazyRequest, millisecondsBetween } from './sessionLog';
import { readTraceMessages } from './traces/messages';
import { readTraceTools } from './traces/tools';

/**
 * What a format is whose files are the records of a conversation, one after the other, each with something that was said: in each line, or
 * in a list of a document. How it is recognised and read follows from that (`conversationFormat`): what a model says up to the next thing
 * that it is told is one call, whose request has everything before it.
 */
export interface ConversationDescription
  extends Pick<TapeFormat, 'id' | 'label'>,
    Partial<Pick<TapeFormat, 'family' | 'ownEndings'>> {
  /** The extensions of its files, without the dot. */
  readonly files: readonly string[];
  /** What its documents have, or one of the first lines, and no others. */
  readonly marks: Mark;
  /** See `TapeFormat`. */
  readonly isBeside?: TapeFormat['isBeside'];
  /** What the lines of a file are, if a file may have lines: records, or each a conversation. */
  readonly lines?: 'records' | 'conversations';
  /** So many of the first lines are looked at; 5 by default. */
  readonly firstLines?: number;
  /** Where the records are in a conversation that is a document: the first of these lists that has one. */
  readonly lists?: readonly string[];
  /** Where a document has a record for each call beside its list, which may lack the last ones: those are taken from here. */
  readonly steps?: string;
  /** Where a document has its conversations, if it may have several: lists of them, such as `simulations`. */
  readonly several?: readonly string[];
  /** The records of a file that is no JSON. */
  split?(text: TextParts): readonly ConversationRecord[];
  /** What a document says of its conversation beside the records. */
  about?(root: JsonRecord): About;
  /** What a record says; undefined for a kind of record that is not known. */
  says(record: JsonRecord): Said | undefined;
}

/** A record, and its place. */
export interface ConversationRecord {
  readonly source: Span;
  readonly value: JsonRecord;
}

/** What is said of a conversation as a whole. */
interface About {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  readonly system?: Json | undefined;
  readonly tools?: Json | undefined;
  /** What was asked before the records. */
  readonly asked?: Json | undefined;
}

/** What a record says. Without messages, it is about something else. */
export interface Said extends About {
  /** Messages, in the shape of any provider or framework. Those of an assistant are what the model said. */
  readonly messages?: readonly Json[];
  /** Its text goes on where the one before it ended. */
  readonly isPiece?: boolean;
  /** What the model said here is all of a response. */
  readonly isWhole?: boolean;
  readonly usage?: Usage | undefined;
  readonly error?: string | undefined;
  /** When it was said. */
  readonly at?: string | undefined;
  /** By this id, a later record may take back everything from here on. One with the same id says again what was said, and more. */
  readonly id?: string | undefined;
  /** What was said is nothing, and the record says so. */
  readonly isSilent?: boolean;
  /** The id of the first record that is taken back. */
  readonly rewindsTo?: string | undefined;
  /** The messages take the place of everything before, as where a conversation was summed up. */
  readonly replaces?: boolean;
}

/** The format of a description. */
export function conversationFormat(description: ConversationDescription): TapeFormat {
  const { id, label, family = 'session', files, ownEndings, isBeside, split, marks } = description;
  return omitUndefined({
    id,
    label,
    family,
    extensions: files,
    ownEndings,
    isBeside,
    marks,
    syntax: split === undefined ? ('json' as const) : undefined,
    looksLike: (file: TapeFile) => looksLike(description, textParts(file)),
    read: (file: TapeFile) => read(description, file),
  } satisfies { [K in keyof TapeFormat]: TapeFormat[K] | undefined });
}

function looksLike(
  { marks, lines, firstLines = 5, several = [], split }: ConversationDescription,
  text: TextParts,
): boolean {
  if (split !== undefined) return hasMark(text.slice(0, HEAD_LENGTH), { has: () => false }, marks);
  const outline = jsonOutline(text);
  if (outline.isWhole && (outline.isOnly || !startsWithObjectLine(text)))
    return ['', ...several.map((at) => `${at}[]`)].some((at) => hasMark(text, outline, markAt(at, marks)));
  if (lines === undefined) return false;
  return headLines(text, firstLines).some(
    (line) => /^\s*\{/.test(line) && hasMark(line, beginningOutline(line), marks),
  );
}

/** What tells a text that is no JSON stands at its beginning. */
const HEAD_LENGTH = 4096;

function read(description: ConversationDescription, file: TapeFile): Tape {
  const text = textParts(file);
  const { id: format } = description;
  const { conversations, problems } = conversationsIn(description, text);
  const calls = conversations.flatMap((one) => one.calls);
  const answers = calls.flatMap((call) => call.answers);
  const interactions = calls.map(
    (call, index) => new LazyInteraction(index, call.source, () => ({ content: call.read(), problems: [] })),
  );
  const [first] = conversations;
  const records = conversations.reduce((sum, { length }) => sum + length, 0);
  const about = { name: first?.about.name, version: first?.about.version };
  return new LazyTape({ format, ...about, interactions, records, answers }, () => [
    ...problems,
    ...unreadRecords(
      format,
      text,
      conversations.flatMap(({ unread }) => unread),
    ),
    ...interactionProblems(interactions),
  ]);
}

interface Conversations {
  readonly conversations: readonly Conversation[];
  readonly problems: readonly Problem[];
}

function conversationsIn(description: ConversationDescription, text: TextParts): Conversations {
  const { lines, lists = [], several = [], split } = description;
  if (split !== undefined) {
    const conversation = new Conversation(description);
    for (const record of split(text)) conversation.take(record);
    return { conversations: [conversation.ended()], problems: [] };
  }
  if (lines !== undefined && startsWithObjectLine(text) && !jsonOutline(text).isOnly) {
    const reading = readJsonLines(text);
    if (lines === 'records') {
      const conversation = new Conversation(description);
      for (const line of reading.lines) conversation.take(line);
      return { conversations: [conversation.ended()], problems: reading.problems };
    }
    const conversations = reading.lines.map(({ source: { start, end } }) => {
      const { value } = readJson(text.slice(start, end));
      return value === undefined ? new Conversation(description) : conversationOf(description, text, value, start);
    });
    return { conversations, problems: reading.problems };
  }
  const { value: root, problems } = readJson(text);
  if (root === undefined) return { conversations: [], problems };
  const hasRecords = (one: JsonNode): boolean => lists.some((path) => recordsAt(one, path).length > 0);
  const nested = several.map((path) => itemsAt(root, path)).find((items) => items.some(hasRecords));
  const roots = nested ?? [root];
  return { conversations: roots.map((one) => conversationOf(description, text, one, 0)), problems };
}

function itemsAt(root: JsonNode, path: string): readonly JsonNode[] {
  const list = nodeAt(root, path);
  return list?.type === 'array' ? list.items : [];
}

function recordsAt(root: JsonNode, path: string): readonly JsonNode[] {
  const items = itemsAt(root, path);
  return items.some(({ type }) => type === 'object') ? items : [];
}

/** A conversation that is an object at a place of the text. */
function conversationOf(
  description: ConversationDescription,
  text: TextParts,
  root: JsonNode,
  offset: number,
): Conversation {
  const { lists = [], about, steps } = description;
  const conversation = new Conversation(description);
  const list = lists.find((path) => recordsAt(root, path).length > 0);
  if (root.type === 'object' && about !== undefined) {
    const [ownKey] = list === undefined ? [] : keysOf(list);
    const others = root.members.filter(({ key }) => key !== ownKey);
    const said = about(Object.fromEntries(others.map(({ key, value }) => [key, exactValue(value)])));
    // Some say it again as the first message.
    const isSaid = list !== undefined && stringAt(recordsAt(root, list)[0], 'role') === 'system';
    conversation.learn(isSaid ? { ...said, system: undefined } : said);
  }
  if (list === undefined) conversation.unread.push({ place: { start: offset + root.start, end: offset + root.end } });
  const take = ({ type, start, end }: JsonNode): void => {
    const place = { start: offset + start, end: offset + end };
    const record = type === 'object' ? jsonLineAt(text, place) : undefined;
    if (record === undefined) conversation.unread.push({ place });
    else conversation.take(record);
  };
  for (const node of list === undefined ? [] : recordsAt(root, list)) take(node);
  if (steps !== undefined && steps !== list)
    for (const step of recordsAt(root, steps).slice(conversation.calls.length)) take(step);
  return conversation.ended();
}

/** Some messages of the conversation, read on demand. */
type LazyMessages = () => readonly Message[];

/** What a model says from one thing that it is told to the next. */
interface Turn {
  readonly said: { readonly messages: LazyMessages; readonly isPiece: boolean; readonly id?: string | undefined }[];
  readonly source: { start: number; end: number };
  readonly answers: Span[];
  readonly askedAt: string | undefined;
  at?: string | undefined;
  model?: string | undefined;
  usage?: Usage | undefined;
  error?: string | undefined;
}

/** A conversation, as its records are taken one after the other. */
class Conversation {
  readonly calls: LoggedCall[] = [];
  readonly unread: UnheardRecord[] = [];
  about: Pick<About, 'name' | 'version'> = {};
  /** How many records it has. */
  length = 0;
  readonly #says: ConversationDescription['says'];
  #model: string | undefined;
  #tools: readonly ToolDefinition[] = [];
  /** Replaced, never shortened: earlier requests keep the list of their time. */
  #before: LazyMessages[] = [];
  readonly #places = new Map<string, number>();
  #turn: Turn | undefined;
  /** The last one that ended: what it cost may be told after it. */
  #lastTurn: Turn | undefined;
  /** The last thing that the model was told and has not answered. */
  #asked: { readonly source: Span; readonly at: string | undefined } | undefined;

  constructor({ says }: ConversationDescription) {
    this.#says = says;
  }

  learn({ name, version, model, system, tools, asked }: About): void {
    this.about = { name: this.about.name ?? name, version: this.about.version ?? version };
    this.#model = model ?? this.#model;
    if (tools !== undefined) this.#tools = readTraceTools(tools);
    const messages = [
      ...(system === undefined ? [] : readTraceMessages([{ role: 'system', content: system }])),
      ...readTraceMessages(asked),
    ];
    if (messages.length > 0) this.#before.push(() => messages);
  }

  take(record: ConversationRecord): void {
    this.length += 1;
    const said = this.#says(record.value);
    if (said === undefined) {
      this.unread.push({ place: record.source });
      return;
    }
    this.learn(said);
    if (said.rewindsTo !== undefined) this.#rewind(said.rewindsTo);
    if (said.messages !== undefined) this.#hear(record, said);
    this.#note(said, record.source);
  }

  /** Ends what the model says. What it was told last and has not answered is a call without a response. */
  ended(): this {
    this.#endTurn();
    if (this.#asked !== undefined) this.#add(this.#asked.source, undefined);
    this.#asked = undefined;
    return this;
  }

  #hear(record: ConversationRecord, said: Said): void {
    const { id, at, isPiece = false, isSilent = false, isWhole, replaces } = said;
    const messages = readTraceMessages(said.messages ?? []);
    const read = weakMemo(() => readTraceMessages(this.#says(record.value)?.messages ?? []), messages);
    if (isWhole === true || (messages.length > 0 && messages[0]?.role !== 'assistant')) this.#endTurn();
    if (id !== undefined) this.#places.set(id, this.#before.length);
    if (!messages.some(tells) && !isSilent && replaces !== true) this.unread.push({ place: record.source });
    if (replaces === true) this.#replace();
    for (const { from, to, isAnswer } of groupsOf(messages)) {
      const some = (): readonly Message[] => read().slice(from, to);
      if (isAnswer) this.#answer(record.source, { messages: some, isPiece, id }, said);
      else {
        this.#endTurn();
        this.#before.push(some);
        this.#asked = { source: record.source, at };
      }
    }
  }

  #answer({ start, end }: Span, piece: Turn['said'][number], { at }: Said): void {
    this.#turn ??= { said: [], source: { start, end }, answers: [], askedAt: this.#asked?.at };
    this.#turn.answers.push({ start, end });
    this.#asked = undefined;
    const again = piece.id === undefined ? -1 : this.#turn.said.findIndex(({ id }) => id === piece.id);
    this.#turn.said.splice(again === -1 ? this.#turn.said.length : again, 1, piece);
    this.#turn.source.end = end;
    this.#turn.at = at ?? this.#turn.at;
  }

  /** What a record says of an answer: the one that it is part of, or else the last. */
  #note({ usage, error, model, messages, isWhole }: Said, { start, end }: Span): void {
    const failed = error !== undefined && this.#turn === undefined && this.#asked !== undefined;
    if (failed) this.#turn = { said: [], source: { start, end }, answers: [], askedAt: this.#asked?.at };
    if (failed) this.#asked = undefined;
    const turn = this.#turn ?? this.#lastTurn;
    if (turn === undefined) return;
    turn.usage = usage ?? turn.usage;
    turn.error = error ?? turn.error;
    if (messages !== undefined && turn === this.#turn) turn.model = model ?? turn.model;
    if (isWhole === true) this.#endTurn();
  }

  #replace(): void {
    this.#endTurn();
    const [first] = this.#before;
    this.#before = first?.()[0]?.role === 'system' ? [first] : [];
  }

  #rewind(id: string): void {
    this.#endTurn();
    this.#asked = undefined;
    const length = this.#places.get(id);
    if (length !== undefined) this.#before = this.#before.slice(0, length);
  }

  #endTurn(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#turn = undefined;
    this.#lastTurn = turn;
    this.#add(turn.source, turn);
    // Every later request has it.
    const said = weakMemo((): readonly Message[] => {
      const { content, parts, toolCalls } = answerOf(turn);
      return [omitUndefined({ role: 'assistant', content, parts, toolCalls })];
    });
    this.#before.push(said);
  }

  #add(source: Span, turn: Turn | undefined): void {
    const before = this.#before;
    const { length } = before;
    const [model, tools] = [this.#model, this.#tools];
    const read = (): InteractionContent => {
      const messages = (): Message[] => before.slice(0, length).flatMap((some) => some());
      const request = lazyRequest(omitUndefined({ model: turn?.model ?? model, tools, params: {} }), messages);
      if (turn === undefined) return { kind: 'llm', request };
      const { usage, error, askedAt, at } = turn;
      const response = omitUndefined({ ...answerOf(turn), usage, error });
      const timing = omitUndefined({ recordedAt: at, durationMs: millisecondsBetween(askedAt, at) });
      return { kind: 'llm', request, response, timing };
    };
    this.calls.push({ source: { ...source }, answers: turn?.answers ?? [], read });
  }
}

function tells({ content, parts = [], toolCalls }: Message): boolean {
  return (content ?? '') !== '' || parts.length > 0 || toolCalls.length > 0;
}

/** Messages of the model, and those that it is told, in their order. */
function groupsOf(
  messages: readonly Message[],
): readonly { readonly from: number; readonly to: number; readonly isAnswer: boolean }[] {
  const groups: { from: number; to: number; isAnswer: boolean }[] = [];
  for (const [at, { role }] of messages.entries()) {
    const isAnswer = role === 'assistant';
    const last = groups.at(-1);
    if (last?.isAnswer === isAnswer) last.to = at + 1;
    else groups.push({ from: at, to: at + 1, isAnswer });
  }
  return groups;
}

/** What was said in a turn as one response. */
function answerOf({ said }: Turn): Pick<ChatResponse, 'content' | 'parts' | 'toolCalls'> {
  const all: Part[] = [];
  const calls: Message['toolCalls'][number][] = [];
  for (const { messages, isPiece } of said) {
    for (const { content, parts, toolCalls } of messages()) {
      const own: readonly Part[] = parts ?? (content === null ? [] : [{ type: 'text', text: content }]);
      const last = all.at(-1);
      const [first, ...others] = own;
      if (isPiece && last?.type === 'text' && first?.type === 'text')
        all.splice(-1, 1, { type: 'text', text: last.text + first.text }, ...others);
      else all.push(...own);
      calls.push(...toolCalls);
    }
  }
  return { ...textContent(all), toolCalls: calls };
}

/** The message of an error, as a text or as an object that has one. */
export function errorText(error: Json | undefined): string | undefined {
  return asString(error) ?? asString(asRecord(error).message);
}

/** When something was said, in seconds since 1970. */
export function timeOfSeconds(time: Json | undefined): string | undefined {
  return typeof time === 'number' && time < 1e11 ? new Date(time * 1000).toISOString() : undefined;
}
