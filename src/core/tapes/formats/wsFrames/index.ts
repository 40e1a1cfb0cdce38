import { asRecord, isBlank } from '../../../json/fields';
import { isRecord, type JsonRecord } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { ARRAY, NodeReader } from '../../../json/nodeReader';
import { jsonValue, member, parseJson } from '../../../json/readJson';
import { t } from '../../../text/l10n';
import { sessionOf } from '../../../wire/realtime/readTalk';
import type { SocketEvent, Turn } from '../../../wire/realtime/session';
import { documentFormat, versionOf } from '../shared/documentFormat';

/**
 * pydantic-ai's recordings of realtime sessions: the frames of a WebSocket, sent and received, in OpenAI's Realtime
 * protocol or Gemini's Live one. An interaction is a turn: the frames sent since the last response, and the response.
 */
export const wsFramesFormat = documentFormat({
  id: 'ws-frames',
  label: 'WebSocket cassette',
  family: 'frames',
  files: ['yaml', 'yml'],
  syntax: 'text',
  marks:
    /^["']?interactions["']?:[ \t\r]*\n\s*-\s+(?:["']?kind["']?:\s*["']?(?:message|close)\b|["']?direction["']?:\s*["']?(?:sent|received)\b)/m,
  reader: () => new NodeReader(),
  document(reader, root) {
    const frames = reader.optional(root, 'interactions', ARRAY) ?? [];
    const turns = turnsOf(frames, reader);
    return {
      version: versionOf(root),
      records: frames.length,
      entries: turns.map(({ source, ...content }) => ({ place: source, read: () => content })),
    };
  },
});

function turnsOf(nodes: readonly JsonNode[], reader: NodeReader): readonly Turn[] {
  const frames = nodes.flatMap((node) => frameOf(node, reader) ?? []);
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

function frameOf(node: JsonNode, reader: NodeReader): SocketEvent | undefined {
  const direction = member(node, 'direction');
  const kind = member(node, 'kind');
  if (kind?.type === 'string' && kind.value === 'close') return undefined;
  const named = direction?.type === 'string' ? direction.value : undefined;
  if (named !== 'sent' && named !== 'received') {
    reader.report(node, t('a frame needs `direction`'), t('Write `direction: sent` or `direction: received`.'));
    return undefined;
  }
  return { direction: named, data: dataOf(member(node, 'data')), source: { start: node.start, end: node.end } };
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
