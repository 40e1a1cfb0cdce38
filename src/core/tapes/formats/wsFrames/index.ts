import { asRecord, isBlank, omitUndefined } from '../../../json/fields';
import { isRecord, type JsonRecord } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { jsonValue, member, parseJson } from '../../../json/readJson';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import type { Problem } from '../../../text/source';
import { sessionOf } from '../../../wire/realtime/readTalk';
import type { SocketEvent, Turn } from '../../../wire/realtime/session';
import { readYaml } from '../../../yaml/readYaml';
import type { TapeFormat } from '../../format';
import { unreadDocuments } from '../../notRead';
import type { TapeFile } from '../../tapeFile';

/**
 * pydantic-ai's recordings of realtime sessions: the frames of a WebSocket, sent and received, in OpenAI's Realtime
 * protocol or Gemini's Live one. An interaction is a turn: the frames sent since the last response, and the response.
 */
export const wsFramesFormat = {
  id: 'ws-frames',
  label: 'WebSocket cassette',
  family: 'frames',
  extensions: ['yaml', 'yml'],
  syntax: 'text',
  looksLike,
  read,
} satisfies TapeFormat;

const FIRST =
  /^["']?interactions["']?:[ \t\r]*\n\s*-\s+(?:["']?kind["']?:\s*["']?(?:message|close)\b|["']?direction["']?:\s*["']?(?:sent|received)\b)/m;

function looksLike({ text }: TapeFile): boolean {
  return FIRST.test(text.slice(0, 4096));
}

function read({ text }: TapeFile): Tape {
  const { value: documents = [], problems } = readYaml(text);
  const [root] = documents;
  const items = member(root, 'interactions');
  const nodes = items?.type === 'array' ? items.items : [];
  const found: Problem[] = [...problems, ...unreadDocuments(documents)];
  const version = member(root, 'version');
  const turns = readTurns(nodes, found);
  return omitUndefined({
    format: 'ws-frames' as const,
    version: version?.type === 'number' ? version.lexeme : undefined,
    interactions: turns.map((turn, index) => ({ index, ...turn })),
    problems: found,
    records: nodes.length,
  });
}

function readTurns(nodes: readonly JsonNode[], found: Problem[]): readonly Turn[] {
  const frames = nodes.flatMap((node) => frameOf(node, found) ?? []);
  const session = sessionOf(frames);
  for (const frame of frames) session.take(frame);
  session.close(closingReason(nodes));
  if (session.turns.length > 0 || frames.length === 0) return session.turns;
  const [first] = frames;
  const source = { start: first?.source.start ?? 0, end: frames.at(-1)?.source.end ?? 0 };
  const [name] = [first?.data.type, ...Object.keys(first?.data ?? {})].filter((word) => typeof word === 'string');
  return [
    { kind: 'frame', summary: t('{0} frames without a turn, the first: {1}', frames.length, name ?? 'empty'), source },
  ];
}

function frameOf(node: JsonNode, found: Problem[]): SocketEvent | undefined {
  const direction = member(node, 'direction');
  const kind = member(node, 'kind');
  if (kind?.type === 'string' && kind.value === 'close') return undefined;
  const named = direction?.type === 'string' ? direction.value : undefined;
  if (named !== 'sent' && named !== 'received') {
    const fix = t('Write `direction: sent` or `direction: received`.');
    const span = { start: node.start, end: Math.min(node.end, node.start + 1) };
    found.push({ severity: 'error', message: t('a frame needs `direction`'), fix, span });
    return undefined;
  }
  const data = member(node, 'data');
  return { direction: named, data: dataOf(data), source: { start: node.start, end: node.end } };
}

/** The event in a frame, which may have been parsed when it was recorded. */
function dataOf(node: JsonNode | undefined): JsonRecord {
  const value = node && jsonValue(node);
  if (isRecord(value)) return value;
  return asRecord(typeof value === 'string' ? parseJson(value) : undefined);
}

/** The reason why the connection was closed, if it was unexpected. */
function closingReason(nodes: readonly JsonNode[]): string | undefined {
  const closed = nodes.find((node) => {
    const ok = member(node, 'ok');
    return ok?.type === 'literal' && ok.value === false;
  });
  if (closed === undefined) return undefined;
  const { code, reason } = asRecord(jsonValue(closed));
  return ['the connection was closed:', code, reason].filter((word) => !isBlank(word)).join(' ');
}
