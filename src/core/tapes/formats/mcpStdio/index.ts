import { compactJson, isRecord, type Json, type JsonRecord } from '../../../json/json';
import { headLines, nonBlankLines } from '../../../json/jsonLines';
import { parseExactJson, readJson } from '../../../json/readJson';
import type { Interaction } from '../../../model/interaction';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import type { Problem, Span } from '../../../text/source';
import type { TapeFormat } from '../../format';
import type { TapeFile } from '../../tapeFile';
import { readMcpCall } from '../shared/mcpCall';

/**
 * The standard streams of an MCP server, as goose records them: one message per line, after the name of the stream.
 * STDIN has the requests to the server. A request and the result with its id are one interaction; notifications are
 * none.
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
  /** Requests by their stream and id: each side numbers its own. */
  readonly #open = new Map<string, Call>();

  get interactions(): Interaction[] {
    return this.#calls.map(readCall);
  }

  take(line: string, source: Span): void {
    const [, stream, json = ''] = LINE.exec(line) ?? [];
    if (stream === undefined) return;
    const message = parseExactJson(json);
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

  #reply(stream: string, id: Json, message: JsonRecord, source: Span): void {
    const call = this.#open.get(`${stream} ${compactJson(id)}`);
    if (call === undefined) {
      const fix = t('The recording has no request with this id. Remove the line, or record the session again.');
      this.problems.push({
        severity: 'warning',
        message: t('a reply to request {0}, which is not there', compactJson(id)),
        fix,
        span: source,
      });
    } else {
      call.reply = { message, source };
      this.#open.delete(`${stream} ${compactJson(id)}`);
    }
  }

  #broken(json: string, start: number, end: number): void {
    const [problem] = readJson(json).problems;
    const at = start + (problem?.span.start ?? 0);
    const message = problem?.message ?? t('a message must be a JSON object');
    const fix = t('Fix the line in the text editor, or record the session again.');
    this.problems.push({ severity: 'error', message, fix, span: { start: at, end: Math.min(at + 1, end) } });
  }
}

function readCall({ request, source, reply }: Call, index: number): Interaction {
  const span = { start: source.start, end: Math.max(source.end, reply?.source.end ?? 0) };
  return { index, source: span, ...readMcpCall(request, reply?.message) };
}
