import { omitUndefined } from '../../../json/fields';
import { compactJson } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import type { NodeReader } from '../../../json/nodeReader';
import { exactValue, member } from '../../../json/readJson';
import type { Timing } from '../../../model/interaction';
import { t } from '../../../text/l10n';
import { looksLikeNdjson } from '../../../wire/body/ndjson';
import { looksLikeSse } from '../../../wire/body/sse';
import { any } from '../../marks';
import { httpFormat } from '../shared/httpFormat';
import { type BodyContext, numberAt, stringAt } from '../shared/httpTape';
import { objectNode } from '../shared/shape';
import { chunkedBody, noBody, plainBody, type StoredBody } from '../shared/storedBody';
import { mastraHash, writeMastra } from './write';

/**
 * Recordings of Mastra's llm-recorder (mastra-ai/mastra, `packages/_llm-recorder`): JSON bodies parsed, streams as the
 * pieces received over the network with the delays between them. Older files are a bare list.
 */
export const mastraFormat = httpFormat({
  id: 'mastra',
  needsDates: true,
  label: 'Mastra LLM recording',
  files: ['json'],
  marks: any(
    ['recordings[].hash', 'recordings[].request.url'],
    ['[].hash', '[].request.url'],
    ['recordings[]', 'meta.createdAt'],
  ),
  // The recorder does not store headers of requests.
  at: { entries: 'recordings', name: 'meta.name', id: 'hash' },
  shape: ([root]) => (root?.type === 'array' ? objectNode({ recordings: root }, root) : root),
  responseBody,
  timing,
  summary,
  check: checkHash,
  isBeside: (key) => key === 'chunkTimings',
  write: writeMastra,
});

/** Binary bodies are in files beside the tape, which stores their names. */
const SIDECAR = /^[0-9a-f]{16}-(?:request|response)-[\w-]+\.\w+$/;

function summary(entry: JsonNode): string | undefined {
  const file = sidecar(nodeAt(entry, 'response'));
  return file === undefined ? undefined : `body in ${file}`;
}

function sidecar(node: JsonNode | undefined): string | undefined {
  if (node?.type === 'string') return SIDECAR.test(node.value) ? node.value : undefined;
  if (node?.type !== 'object') return undefined;
  return node.members.map(({ key, value }) => (key === 'headers' ? undefined : sidecar(value))).find(Boolean);
}

/**
 * Reports a hash that differs from that of the stored request. The recorder finds a request by its hash, or by
 * similarity if no hash is equal. With `transformRequest` it hashes the transformed request and stores the original,
 * which looks the same as a wrong hash, so this is no warning. The hash of a body in another file, or of one with a
 * redacted secret, cannot be computed here.
 */
function checkHash(entry: JsonNode, reader: NodeReader): void {
  const hash = member(entry, 'hash');
  const url = stringAt(entry, 'request.url');
  const body = nodeAt(entry, 'request.body');
  if (hash?.type !== 'string' || url === undefined || sidecar(nodeAt(entry, 'request')) !== undefined) return;
  const requestBody = body === undefined ? null : exactValue(body);
  if (REDACTED.test(url) || REDACTED.test(compactJson(requestBody))) return;
  const right = mastraHash(url, requestBody);
  if (hash.value === right) return;
  const message = t('`hash` does not fit the stored request, unless it was recorded with transformRequest');
  reader.report(hash, message, t('Record it again, or, without transformRequest, use "{0}".', right), 'info');
}

const REDACTED = /redacted/i;

function responseBody({ entry, node }: BodyContext): StoredBody {
  const pieces = nodeAt(entry, 'response.chunks');
  if (pieces?.type !== 'array') return node === undefined ? noBody() : plainBody(node);
  const text = pieces.items.map((piece) => (piece.type === 'string' ? piece.value : '')).join('');
  // A response that is not a stream was only received in pieces.
  const delays = looksLikeSse(text) || looksLikeNdjson(text) ? delaysOf(entry) : [];
  return chunkedBody(pieces, delays);
}

function delaysOf(entry: JsonNode): (number | undefined)[] {
  const timings = nodeAt(entry, 'response.chunkTimings');
  if (timings?.type !== 'array') return [];
  return timings.items.map((item) => (item.type === 'number' ? Number(item.lexeme) : undefined));
}

function timing(entry: JsonNode): Timing {
  const delays = delaysOf(entry);
  const recordedAt = numberAt(entry, 'request.timestamp');
  return omitUndefined({
    recordedAt: isTime(recordedAt) ? new Date(recordedAt).toISOString() : undefined,
    // A text that was written as a stream of one piece took no time that is known.
    durationMs: delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0) || undefined,
  });
}

/** Milliseconds within the range of a `Date`. */
function isTime(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) <= 8.64e15;
}
