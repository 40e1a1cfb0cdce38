import { looksLikeJson } from '../json/jsonOutline';
import type { Interaction } from '../model/interaction';
import type { Message } from '../model/message';
import type { Tape, TapeFamily } from '../model/tape';
import { readTextDocument } from '../syntax/textDocument';
import { listed } from '../text/counts';
import type { Problem, Span } from '../text/source';
import type { TextParts } from '../text/textParts';
import type { TapeFormat } from './format';
import { isMute, LazyTape, plainInteraction, saysSomething, withProblems } from './lazyTape';
import { notRead, ofSteps, unreadRecords, withoutCalls } from './notRead';
import { jsonDocuments, type PlacedDocument, type SaidText, saidIn } from './saidTexts';
import { textParts } from './tapeFile';

/**
 * Wraps a format so that its tapes have a problem where a request or a response says nothing, or no interaction was read at all, although
 * there are texts in the record, or in the file, which were not read: it is of another program, or of a version that is not known.
 */
export function withSilentInteractions(format: TapeFormat): TapeFormat {
  return {
    ...format,
    read: (file) => {
      const tape = format.read(file);
      const unread = (): Problem[] => {
        const silent = tape.interactions.filter(
          (one) => (isMute(one) && !isUnanswered(format.family, one)) || isUnasked(format.family, one),
        );
        const records = silent.map((one) => ({ place: one.source, read: textsRead(one) }));
        const text = textParts(file);
        const isBlank = tape.interactions.length === 0 && !mayBeBlank(format);
        const found = unreadRecords(format.id, text, isBlank ? [{ place: { start: 0, end: text.length } }] : records);
        const [first] = found;
        if (first !== undefined && isBlank && format.hasSteps === true) return [withoutCalls(first.span)];
        return found.length > 0 || (format.family === 'http' && format.serialise !== undefined)
          ? found
          : unreadInFile(format, tape, text);
      };
      // What is HTTP is never silent.
      return withProblems(tape, unread, () => []);
    },
  };
}

/** A script may be a configuration, which only declares. The log of a session, or of Inspect, may have just a head, and tells of its records. */
function mayBeBlank({ family, id }: TapeFormat): boolean {
  return family === 'script' || family === 'session' || id === 'inspect';
}

/**
 * Whether nothing was read of a request, in formats whose records have what was asked. A session has it in records of their own, and
 * scripts and responses that were kept alone may have none.
 */
function isUnasked(family: TapeFamily, { kind, http, request }: Interaction): boolean {
  if (kind !== 'llm' || http !== undefined) return false;
  const isStored = family === 'conversation' || (family === 'frames' && request !== undefined);
  return isStored && !(request?.messages ?? []).some(saysSomething);
}

/** All texts that were read of an interaction, one after the other. */
function textsRead({ request, response, declared, summary }: Interaction): string {
  const texts: string[] = [];
  const { chunks: _, ...said } = response ?? {};
  collectTexts([request, said, declared, summary], texts);
  return texts.join('\n');
}

/** Whether a session ended before the model answered: its last record is what the model was told, which its format has read. */
function isUnanswered(family: TapeFamily, { request, response }: Interaction): boolean {
  return family === 'session' && response === undefined && (request?.messages ?? []).some(saysSomething);
}

function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) collectTexts(inner, texts);
}

/** Larger files are not searched: it takes as long as reading them, and a look-alike of a small tape is one of a large tape as well. */
const LONGEST = 1_000_000;

/**
 * The problem of texts in a file, by the names of their members, which are in no interaction: they stand beside what is read of a record, or
 * in records that are not known. None for a tape that has another problem, from which that may follow.
 */
function unreadInFile({ family, isReadWhole, hasSteps, isBeside }: TapeFormat, tape: Tape, text: TextParts): Problem[] {
  const answers = family === 'session' && tape instanceof LazyTape ? tape.answers : undefined;
  if ((family === 'http' || family === 'session') && isReadWhole !== true && answers === undefined) return [];
  if (text.length > LONGEST || tape.problems.some((one) => one.severity !== 'info')) return [];
  // The response of an API that is not read, alone in its file.
  if (tape.interactions.some((one) => one.kind === 'http' && !one.http)) return [];
  const missing = new Map<string, SaidText>();
  const isAnswer = answers && inPlaces(answers);
  const miss = (said: SaidText): void => {
    if (isAnswer?.(said.at) === false) return;
    const key = `${said.kind} ${said.text}`;
    // The tools of a script need not be offered in a request.
    if (!missing.has(key) && (said.kind !== 'tool' || family !== 'script')) missing.set(key, said);
  };
  for (const { node, offset } of documentsOf(text))
    for (const said of saidIn(node, isBeside)) miss({ ...said, at: said.at + offset });
  for (const one of withoutRepeats(tape)) {
    if (missing.size === 0) return [];
    forget(missing, one);
  }
  // What is JSON by itself, such as the input of a span, says what is in it; nothing if it was cut off.
  for (const [key, { text: json, kind, name, at }] of missing)
    if (kind === 'json' || /^["[{]/.test(json)) {
      const inside = jsonDocuments(json)[0]?.node;
      if (inside !== undefined || !json.startsWith('"')) missing.delete(key);
      // Some exports write what is JSON already as a text in JSON.
      if (inside?.type === 'string') miss({ text: inside.value.trim(), kind: 'text', name, at });
      else if (inside !== undefined) for (const said of saidIn(inside)) miss({ ...said, at });
    }
  // So many are looked for within the others.
  const isLong = ({ kind }: SaidText): boolean => kind === 'text' || kind === 'argument';
  let texts = [...missing.values()].filter(isLong).slice(0, 100);
  for (const one of missing.size === 0 ? [] : withoutRepeats(tape)) {
    forget(missing, one);
    const without = (value: unknown, kind: SaidText['kind']): void =>
      visitTexts(value, (read) => {
        texts = texts.filter((said) => said.kind !== kind || !read.includes(said.text));
      });
    without([one.request, saidOf(one)], 'text');
    without([callsOf(one), resultsOf(one)], 'argument');
  }
  const unread = [...texts, ...[...missing.values()].filter((one) => !isLong(one))];
  const calls = hasSteps === true ? tape.interactions.map(({ source }) => source) : [];
  const inCalls = calls.length > 0 ? unread.filter(({ at }) => calls.some((call) => holds(call, at))) : unread;
  const [first] = inCalls;
  if (first !== undefined) return [notRead(namesOf(inCalls), { start: first.at, end: first.at + 1 })];
  const [beside] = unread;
  return beside === undefined ? [] : [ofSteps(namesOf(unread), { start: beside.at, end: beside.at + 1 })];
}

function holds({ start, end }: Span, at: number): boolean {
  return start <= at && at < end;
}

/** Whether a place is in one of these, of which none is in another. */
function inPlaces(places: readonly Span[]): (at: number) => boolean {
  const sorted = [...places].sort((left, right) => left.start - right.start);
  return (at) => {
    const before = sorted[indexAfter(sorted, at) - 1];
    return before !== undefined && holds(before, at);
  };
}

/** How many of the sorted places begin at a place or before it. */
function indexAfter(sorted: readonly Span[], at: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.start ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The interactions, the last one first, without the messages that a later request has as well: that of a log has what was said before. */
function* withoutRepeats({ interactions }: Tape): Generator<Interaction> {
  const seen = new Set<Message>();
  for (const one of interactions.toReversed()) {
    const { messages: all = [], ...others } = one.request ?? { tools: [], params: {} };
    const messages = all.filter((message) => !seen.has(message));
    for (const message of messages) seen.add(message);
    yield { ...plainInteraction(one), ...(one.request && { request: { ...others, messages } }) };
  }
}

function namesOf(unread: readonly SaidText[]): string {
  return listed([...new Set(unread.map(({ name }) => `\`${name}\``))]);
}

/** Takes out what is read of an interaction. */
function forget(missing: Map<string, SaidText>, one: Interaction): void {
  const without = (value: unknown, ...kinds: readonly SaidText['kind'][]): void =>
    visitTexts(value, (read) => {
      for (const kind of kinds) missing.delete(`${kind} ${read.trim()}`);
    });
  const { tools = [], messages = [], ...request } = one.request ?? {};
  without([request, messages, saidOf(one)], 'text', 'argument', 'json');
  without(callsOf(one), 'call');
  without([one.declared, one.mcp, one.http], 'tool');
  without(
    tools.map(({ name }) => name),
    'tool',
  );
}

/** The calls of tools in an interaction, and what may be one. */
function callsOf({ kind, request, response, declared, mcp, http }: Interaction): unknown {
  const { messages = [] } = request ?? {};
  const said = [...messages, ...(response ? [response] : [])];
  const calls = said.map(({ toolCalls, parts }) => [toolCalls, parts]);
  return [calls, kind === 'tool' ? messages : [], declared, mcp, http];
}

function resultsOf({ request }: Interaction): unknown {
  return (request?.messages ?? []).filter(({ role }) => role === 'tool');
}

/** The documents of a text in JSON, lines of JSON, YAML, or TOML; those that are broken are left out. */
function documentsOf(text: TextParts): readonly PlacedDocument[] {
  if (looksLikeJson(text)) return jsonDocuments(text);
  const { roots, problems } = readTextDocument(text);
  return problems.length > 0 ? [] : roots.map((node) => ({ node, offset: 0 }));
}

/** What is read of an interaction beside its request; not the pieces of its response, which that is made of. */
function saidOf({ response, declared, summary, mcp, http }: Interaction): unknown {
  const { chunks: _, ...said } = response ?? {};
  return [said, declared, summary, mcp, http];
}

function visitTexts(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) visitTexts(inner, visit);
}
