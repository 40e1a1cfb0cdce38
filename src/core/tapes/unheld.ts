import { compactJson, type Json, jsonEqual } from '../json/json';
import { parseExactJson } from '../json/readJson';
import type { HttpBody, HttpExchange, HttpHeader } from '../model/http';
import type { RecordedInteraction } from '../model/interaction';
import type { ChatResponse, ToolCall } from '../model/message';
import { message, t } from '../text/l10n';
import { bodyContent, decompressExchange } from '../wire/body/bodyContent';
import type { Destination, TapeFormat } from './format';
import { newTapeFile, type WritableFormat, writableIn } from './writableFormat';

/** Something of a recorded interaction without which a tape does not replay it. */
type NeededPart = 'interaction' | 'address' | 'status' | 'request' | 'response' | 'answer' | 'mcp';

/** The parts in words. */
export const NEEDED_PARTS: Readonly<Record<NeededPart, string>> = {
  interaction: message('all of it'),
  address: message('method and address'),
  status: message('status'),
  request: message('body of the request'),
  response: message('body of the response'),
  answer: message("the model's answer"),
  mcp: message('messages'),
};

/** A recorded interaction that a tape does not hold as it came. */
export interface Unheld {
  /** Among those that were to be written, from 0. */
  readonly index: number;
  /** What is missing there, or is another. */
  readonly parts: readonly NeededPart[];
}

/**
 * The recorded interactions that a tape does not hold: `written` is what is read again in the text that the format wrote of
 * them. So it is true of every format, whatever it says of itself. Headers and times may be lost, as `convert` reports.
 */
export function unheldIn(
  format: TapeFormat,
  recorded: readonly RecordedInteraction[],
  written: readonly RecordedInteraction[],
): readonly Unheld[] {
  const places = new Map(writableIn(format, recorded).map((interaction, place) => [interaction, place]));
  return recorded.flatMap((before, index): readonly Unheld[] => {
    const place = places.get(before);
    const after = place === undefined ? undefined : written[place];
    const parts = after === undefined ? (['interaction'] as const) : unheldParts(before, after);
    return parts.length === 0 ? [] : [{ index, parts }];
  });
}

function unheldParts(before: RecordedInteraction, after: RecordedInteraction): readonly NeededPart[] {
  if (before.mcp !== undefined) return jsonEqual(before.mcp, after.mcp) ? [] : ['mcp'];
  if (before.http !== undefined && after.http !== undefined) return unheldOfExchange(before.http, after.http);
  return holdsAnswer(before.response, after.response) ? [] : ['answer'];
}

function unheldOfExchange(before: HttpExchange, after: HttpExchange): readonly NeededPart[] {
  const { status = after.status } = before;
  return [
    ...(holdsAddress(before, after) ? [] : (['address'] as const)),
    ...(status === after.status ? [] : (['status'] as const)),
    ...(holdsBody('requestBody', before, after) ? [] : (['request'] as const)),
    ...(holdsBody('responseBody', before, after) ? [] : (['response'] as const)),
  ];
}

/** Some formats do not store the host. */
function holdsAddress(before: HttpExchange, after: HttpExchange): boolean {
  if (before.method.toUpperCase() !== after.method.toUpperCase()) return false;
  return before.url === after.url || (after.url.startsWith('/') && before.url.endsWith(after.url));
}

/** Whether bodies are the same, byte for byte. One that HTTP compressed may be stored as it was before; JSON, as its value. */
function holdsBody(of: 'requestBody' | 'responseBody', before: HttpExchange, after: HttpExchange): boolean {
  return (
    isSameContent(before[of], after[of]) || isSameContent(decompressExchange(before)[of], decompressExchange(after)[of])
  );
}

function isSameContent(body: HttpBody, stored: HttpBody): boolean {
  const before = bodyContent(body) ?? { text: '' };
  const after = bodyContent(stored) ?? { text: '' };
  if ('base64' in before) return 'base64' in after && before.base64 === after.base64;
  if ('base64' in after) return false;
  if (before.text === after.text) return true;
  // A byte order mark is no part of the value.
  const isJson = stored.type === 'json' && !before.text.startsWith('\uFEFF');
  return isJson && jsonEqual(parseExactJson(before.text), stored.json);
}

/** Of a tape that keeps messages: what a client gets as its response is made of these. */
function holdsAnswer(before: ChatResponse | undefined, after: ChatResponse | undefined): boolean {
  return before === undefined || jsonEqual(answerOf(before), answerOf(after));
}

function answerOf(response: ChatResponse | undefined): unknown {
  const { content, toolCalls = [], error } = response ?? {};
  return [content ?? '', toolCalls.map((call) => [call.name, argumentsOf(call)]), error === undefined];
}

/** The value of arguments, which may be kept parsed, or as the text that the model wrote. */
function argumentsOf({ arguments: args, argumentsText }: ToolCall): Json {
  const text = argumentsText ?? (typeof args === 'string' ? args : compactJson(args));
  return parseExactJson(text) ?? text;
}

/** What some formats have no place for, with an interaction that shows it. */
const PROBES: readonly { readonly what: string; readonly interaction: RecordedInteraction }[] = [
  { what: message('requests other than model calls'), interaction: probe({}) },
  { what: message('binary bodies of requests'), interaction: probe({ requestBody: binary('/wD+') }) },
  { what: message('binary bodies of responses'), interaction: probe({ responseBody: binary('/wD+') }) },
  {
    what: message('texts that are not UTF-8'),
    interaction: probe({
      responseHeaders: [['content-type', 'text/plain; charset=iso-8859-1']],
      responseBody: binary('Y2Fm6Q=='),
    }),
  },
  {
    what: message('JSON that begins with a byte order mark'),
    interaction: probe({
      responseHeaders: [['content-type', 'application/json']],
      responseBody: { type: 'text', text: '\uFEFF{"a": 1}' },
    }),
  },
];

function probe(exchange: Partial<HttpExchange>): RecordedInteraction {
  const type: HttpHeader = ['content-type', 'application/octet-stream'];
  const http: HttpExchange = {
    method: 'POST',
    url: 'https://files.example/file',
    requestHeaders: [type],
    requestBody: { type: 'none' },
    status: 200,
    responseHeaders: [type],
    responseBody: { type: 'text', text: 'stored' },
    ...exchange,
  };
  return { kind: 'http', http };
}

function binary(base64: string): HttpBody {
  return { type: 'base64', base64 };
}

/** What a file of a format cannot hold, as noun phrases: found out by having it written, and reading it again. */
export function limitsOf(format: WritableFormat, into?: Destination): readonly string[] {
  const isHeld = ({ interaction }: (typeof PROBES)[number]): boolean =>
    unheldIn(format, [interaction], format.read(newTapeFile(format, '', [interaction], into)).interactions).length ===
    0;
  const [other, ...bodies] = PROBES;
  if (other !== undefined && !isHeld(other)) return [t(other.what)];
  return bodies.filter((one) => !isHeld(one)).map(({ what }) => t(what));
}
