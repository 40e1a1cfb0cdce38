import { sha256Hex } from '../../../hash/digest';
import { formatNode } from '../../../json/formatJson';
import { nonBlankLines } from '../../../json/jsonLines';
import type { JsonNode, JsonObjectNode } from '../../../json/jsonNode';
import { member, readJson } from '../../../json/readJson';
import type { StandaloneTape } from '../../format';
import { type LineField, writeLine, writeObject } from './body';
import { HistoryReader, HistoryWriter, type RawJson } from './history';
import { REFERENCE } from './pieces';
import { numberAt } from './read';

/** An interaction by its lines, with everything in its request that is a reference on the tape. */
interface Entry {
  /** When the request was made and its kind, which do not make two requests different. */
  readonly head: readonly LineField[];
  readonly request: readonly RequestField[];
  /** The response and its frames, as they are. */
  readonly response: string[];
}

/** A member of a request. Within some, later requests refer to earlier ones: to the whole of it, or to parts of an object. */
interface RequestField {
  readonly name: string;
  readonly json: RawJson;
  readonly refers?: 'whole' | 'parts';
}

/**
 * A tape whose interactions are texts of their own, each numbered 1 and with nothing that it would refer to left out: one can be
 * changed, taken out or put elsewhere without the others. They are made when they are asked for, because together they may be many
 * times as long as the tape.
 */
export function standaloneTape(text: string): StandaloneTape | undefined {
  const lines = readEntries(text);
  if (lines === undefined) return undefined;
  const { head, entries } = lines;
  const alone = (entry: Entry): string => entryLines(entry, 1, new HistoryWriter());
  // A recording repeats nothing that it could refer to.
  const isInFull = (): boolean => !hasReference(text) && hasReference(joinWithReferences(entries.map(alone)));
  let joinAsWritten: StandaloneTape['join'] | undefined;
  return {
    head,
    items: {
      length: entries.length,
      at: (index) => {
        const entry = entries[index];
        return entry && alone(entry);
      },
    },
    join: (pieces) => {
      joinAsWritten ??= isInFull() ? joinInFull : joinWithReferences;
      return joinAsWritten(pieces);
    },
  };
}

function hasReference(text: string): boolean {
  return text.search(REFERENCE) !== -1;
}

/** The tape of a head and of texts of their own, in which each request refers to what earlier ones said. */
function joinWithReferences(pieces: Iterable<string>): string {
  const history = new HistoryWriter();
  const numbers = new Map<string, number>();
  return joinPieces(pieces, (entry, number) => {
    const whole = wholeRequest(entry);
    const same = whole === undefined ? undefined : numbers.get(whole);
    if (whole !== undefined && same === undefined) numbers.set(whole, number);
    return entryLines(entry, number, history, same);
  });
}

/** The same for a tape in which each request says all of it. */
function joinInFull(pieces: Iterable<string>): string {
  return joinPieces(pieces, (entry, number) => entryLines(entry, number, new HistoryWriter()));
}

function joinPieces(pieces: Iterable<string>, write: (entry: Entry, number: number) => string): string {
  let joined = '';
  let count = 0;
  for (const piece of pieces) {
    const lines = readEntries(piece);
    // What is no text of an interaction stays as it is, which is a problem when the tape is read.
    joined += lines?.head ?? piece;
    for (const entry of lines?.entries ?? []) {
      count += 1;
      joined += write(entry, count);
    }
  }
  return joined;
}

/** The lines of a text by their interactions; undefined where one belongs to none, or cannot be read. */
function readEntries(text: string): { readonly head: string; readonly entries: readonly Entry[] } | undefined {
  const history = new HistoryReader();
  const known = new Map<number, Entry>();
  const entries: Entry[] = [];
  let head = '';
  let open: Entry | undefined;
  for (const { start, end } of nonBlankLines(text)) {
    const line = text.slice(start, end);
    const { value, problems } = readJson(line);
    if (value?.type !== 'object' || problems.length > 0) return undefined;
    const [request, response] = [numberAt(value, 'request'), numberAt(value, 'response')];
    if (member(value, 'after') !== undefined) {
      if (open === undefined) return undefined;
      open.response.push(line);
    } else if (request !== undefined) {
      const entry = readEntry(line, value, request, known, history);
      if (entry === undefined) return undefined;
      known.set(request, entry);
      entries.push(entry);
      open = undefined;
    } else if (response !== undefined) {
      open = known.get(response);
      if (open === undefined || open.response.length > 0) return undefined;
      open.response.push(line);
    } else if (entries.length === 0 && member(value, 'tapedeck') !== undefined) head += `${line}\n`;
    else return undefined;
  }
  return { head, entries };
}

/** Undefined for a request with a reference that leads nowhere. */
function readEntry(
  line: string,
  fields: JsonObjectNode,
  number: number,
  known: ReadonlyMap<number, Entry>,
  history: HistoryReader,
): Entry | undefined {
  const same = numberAt(fields, 'same');
  const earlier = same === undefined ? undefined : known.get(same);
  if (same !== undefined && earlier === undefined) return undefined;
  const isHead = (name: string) => name === 'at' || (name === 'kind' && earlier === undefined);
  const own = fields.members.filter(({ key }) => !['request', 'same'].includes(key));
  const heads = own.filter(({ key }) => isHead(key)).map(({ key, value }): LineField => [key, formatNode(line, value)]);
  const kind = earlier?.head.filter(([name]) => name === 'kind') ?? [];
  try {
    const rest = own
      .filter(({ key }) => !isHead(key) && (earlier === undefined || key !== 'kind'))
      .map(({ key, value }) => requestField(line, fields, key, value, number, history));
    return { head: [...kind, ...heads].sort(byName), request: [...(earlier?.request ?? []), ...rest], response: [] };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `kind` is written before `at`. */
function byName([left]: LineField, [right]: LineField): number {
  return left < right ? 1 : -1;
}

function requestField(
  line: string,
  fields: JsonObjectNode,
  name: string,
  value: JsonNode,
  number: number,
  history: HistoryReader,
): RequestField {
  const isPlain = member(fields, 'mcp') !== undefined || (name === 'json' && member(fields, 'parsed') !== undefined);
  if (!isPlain && (name === 'json' || name === 'chat') && value.type === 'object')
    return { name, json: history.object(line, () => value, number), refers: 'parts' };
  if (!isPlain && name === 'headers')
    return { name, json: history.value(line, HEADERS, () => value, number), refers: 'whole' };
  return { name, json: () => formatNode(line, value) };
}

const HEADERS = ' headers';

/** Identifies what a request says, so that a later one with the same can name it. Nothing refers to messages of MCP. */
function wholeRequest({ head, request }: Entry): string | undefined {
  if (request.some(({ name }) => name === 'mcp')) return undefined;
  const kind = head.filter(([name]) => name === 'kind');
  return sha256Hex(writeObject([...kind, ...request.map(({ name, json }): LineField => [name, json()])]));
}

function entryLines({ head, request, response }: Entry, number: number, history: HistoryWriter, same?: number): string {
  const said =
    same === undefined
      ? request.map(({ name, json, refers }): LineField => [name, referring(json(), refers, number, history)])
      : ([['same', `${same}`]] as const);
  const [answer, ...frames] = response;
  return [
    writeLine([['request', `${number}`], ...head, ...said]),
    ...(answer === undefined ? [] : [responseLine(answer, number, frames.length)]),
    ...frames.map((frame) => `${frame}\n`),
  ].join('');
}

function referring(json: string, refers: RequestField['refers'], number: number, history: HistoryWriter): string {
  if (refers === undefined) return json;
  if (refers === 'whole') return history.value(HEADERS, json, number);
  const { value } = readJson(json);
  return value?.type === 'object' ? history.object(json, value, number) : json;
}

/** The line with this number, and with the number of frames that follow it. */
function responseLine(line: string, number: number, frames: number): string {
  const { value } = readJson(line);
  const fields = value?.type === 'object' ? value.members : [];
  const written = (key: string, node: JsonNode): string => {
    if (key === 'response') return `${number}`;
    return key === 'frames' ? `${frames}` : formatNode(line, node);
  };
  return writeLine(fields.map(({ key, value: node }) => [key, written(key, node)]));
}
