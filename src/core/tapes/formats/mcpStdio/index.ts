import { asList, asRecord, asString, isBlank, omitUndefined } from '../../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../../json/json';
import { headLines, nonBlankLines } from '../../../json/jsonLines';
import { parseJson, readJson } from '../../../json/readJson';
import type { Interaction } from '../../../model/interaction';
import type { ChatResponse, Part } from '../../../model/message';
import type { Tape } from '../../../model/tape';
import type { Problem, Span } from '../../../text/source';
import { mediaFromBase64, textContent, textParts, unknownPart } from '../../../wire/shared/messages';
import { readToolCall } from '../../../wire/shared/toolCalls';
import type { TapeFormat } from '../../format';
import type { TapeFile } from '../../tapeFile';

/**
 * What went over the standard streams of an MCP server, as goose records it: a line each, with the name of the stream.
 * STDIN is what the server was asked. A request and the result with its id are one interaction; notifications are none.
 */
export const mcpStdioFormat = {
  id: 'mcp-stdio',
  label: 'MCP stdio replay',
  family: 'frames',
  extensions: [],
  syntax: 'text',
  looksLike,
  read,
} satisfies TapeFormat;

const LINE = /^(STDIN|STDOUT): *(\{.*)$/s;

function looksLike({ text }: TapeFile): boolean {
  if (!/^\s*STD(?:IN|OUT|ERR):/.test(text.slice(0, 256))) return false;
  return headLines(text, 50).some((line) => LINE.test(line) && /"jsonrpc"\s*:/.test(line));
}

function read({ text }: TapeFile): Tape {
  const session = new Session();
  for (const source of nonBlankLines(text)) session.take(text.slice(source.start, source.end), source);
  return { format: 'mcp-stdio', interactions: session.interactions, problems: session.problems };
}

interface Call {
  readonly request: JsonRecord;
  readonly source: Span;
  reply: { readonly message: JsonRecord; readonly source: Span } | undefined;
}

class Session {
  readonly problems: Problem[] = [];
  readonly #calls: Call[] = [];
  /** By the stream that asked and the id: both sides count their own. */
  readonly #open = new Map<string, Call>();

  get interactions(): Interaction[] {
    return this.#calls.map(readCall);
  }

  take(line: string, source: Span): void {
    const [, stream, json = ''] = LINE.exec(line) ?? [];
    if (stream === undefined) return;
    const message = parseJson(json);
    if (!isRecord(message)) {
      this.#broken(json, source.start + line.length - json.length, source.end);
      return;
    }
    const { id } = message;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    if (typeof message.method === 'string') this.#request(stream, id, message, source);
    else this.#reply(stream === 'STDIN' ? 'STDOUT' : 'STDIN', id, message, source);
  }

  #request(stream: string, id: Json, request: JsonRecord, source: Span): void {
    const call: Call = { request, source, reply: undefined };
    this.#calls.push(call);
    this.#open.set(`${stream} ${compactJson(id)}`, call);
  }

  #reply(asked: string, id: Json, message: JsonRecord, source: Span): void {
    const call = this.#open.get(`${asked} ${compactJson(id)}`);
    if (call === undefined) {
      const fix = 'Nothing asked for it in this recording; remove the line, or record the session again.';
      this.problems.push({
        severity: 'warning',
        message: `a reply to request ${compactJson(id)}, which is not there`,
        fix,
        span: source,
      });
    } else {
      call.reply = { message, source };
      this.#open.delete(`${asked} ${compactJson(id)}`);
    }
  }

  #broken(json: string, start: number, end: number): void {
    const [problem] = readJson(json).problems;
    const at = start + (problem?.span.start ?? 0);
    const message = problem?.message ?? 'a message must be a JSON object';
    const fix = 'Repair the line in the text editor, or record the session again.';
    this.problems.push({ severity: 'error', message, fix, span: { start: at, end: Math.min(at + 1, end) } });
  }
}

function readCall({ request, source, reply }: Call, index: number): Interaction {
  const at = {
    index,
    source: { start: source.start, end: Math.max(source.end, reply?.source.end ?? 0) },
    id: compactJson(request.id ?? null),
  };
  const method = asString(request.method) ?? '';
  if (method === 'tools/call') return { ...at, kind: 'tool', ...toolExchange(request, reply?.message) };
  const failed = reply && errorOf(reply.message);
  const summary = failed === undefined ? method : `${method}: ${failed}`;
  return { ...at, kind: 'http', summary };
}

function toolExchange(request: JsonRecord, reply: JsonRecord | undefined): Pick<Interaction, 'request' | 'response'> {
  const { name, arguments: args } = asRecord(request.params);
  const call = readToolCall(compactJson(request.id ?? null), name, args);
  return {
    request: { messages: [{ role: 'assistant', content: null, toolCalls: [call] }], tools: [], params: {} },
    ...(reply === undefined ? {} : { response: toolResponse(reply) }),
  };
}

function toolResponse(reply: JsonRecord): ChatResponse {
  const failed = errorOf(reply);
  if (failed !== undefined) return { content: null, toolCalls: [], error: failed };
  const result = asRecord(reply.result);
  const parts = asList(result.content).flatMap(contentPart);
  const structured: Part[] =
    parts.length === 0 && !isBlank(result.structuredContent)
      ? textParts(compactJson(result.structuredContent ?? null))
      : [];
  const whole = textContent([...parts, ...structured]);
  return omitUndefined({
    ...whole,
    toolCalls: [],
    error: result.isError === true ? (whole.content ?? 'the tool failed') : undefined,
  });
}

function errorOf({ error }: JsonRecord): string | undefined {
  if (isBlank(error)) return undefined;
  const { code, message } = asRecord(error);
  return [asString(message) ?? compactJson(error ?? null), code === undefined ? '' : `(${compactJson(code)})`]
    .join(' ')
    .trim();
}

function contentPart(item: Json): Part[] {
  const content = asRecord(item);
  if (content.type === 'text') return textParts(content.text);
  if ((content.type === 'image' || content.type === 'audio') && typeof content.data === 'string') {
    return [{ ...mediaFromBase64(asString(content.mimeType), content.data), type: content.type }];
  }
  const resource = asRecord(content.resource);
  if (typeof resource.text === 'string') return textParts(resource.text);
  return [unknownPart(item)];
}
