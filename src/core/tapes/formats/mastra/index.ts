import { omitUndefined } from '../../../json/fields';
import { compactJson } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { jsonOutline } from '../../../json/jsonOutline';
import { nodeAt } from '../../../json/jsonPath';
import type { NodeReader } from '../../../json/nodeReader';
import { exactValue, member } from '../../../json/readJson';
import type { Timing } from '../../../model/interaction';
import { t } from '../../../text/l10n';
import { looksLikeNdjson } from '../../../wire/body/ndjson';
import { looksLikeSse } from '../../../wire/body/sse';
import type { TapeFormat } from '../../format';
import { type TapeFile, textParts } from '../../tapeFile';
import { HTTP_EXCHANGES, writeSubset } from '../../writableFormat';
import { editJsonHttpTape, followJsonHttpTape, httpEditMembers } from '../shared/editHttpTape';
import {
  type BodyContext,
  type HttpLayout,
  numberAt,
  readJsonHttpTape,
  stringAt,
  USUAL_PLACES,
} from '../shared/httpTape';
import { chunkedBody, jsonBody, noBody, type StoredBody, textBody } from '../shared/storedBody';
import { mastraHash, writeMastra } from './write';

/**
 * Recordings of Mastra's llm-recorder (mastra-ai/mastra, `packages/_llm-recorder`): JSON bodies parsed, streams as the
 * pieces received over the network with the delays between them. Older files are a bare list.
 */
export const mastraFormat = {
  id: 'mastra',
  label: 'Mastra LLM recording',
  family: 'http',
  extensions: ['json'],
  syntax: 'json',
  looksLike,
  read: (file) => readJsonHttpTape(layoutOf(file), file),
  ...writeSubset(HTTP_EXCHANGES, writeMastra),
  ...httpEditMembers((file, edit) => editJsonHttpTape(layoutOf(file), file, edit)),
  followingEdits: (file, changes) => followJsonHttpTape(layoutOf(file), file, changes),
} satisfies TapeFormat;

const layout: HttpLayout = {
  id: 'mastra',
  at: {
    entries: 'recordings',
    name: 'meta.name',
    ...USUAL_PLACES,
    id: 'hash',
  },
  // The recorder does not store headers of requests.
  requestBody: ({ node }) => plainBody(node),
  responseBody: readResponseBody,
  timing,
  summary,
  check: checkHash,
  isBeside: (key) => key === 'chunkTimings',
};

function layoutOf(file: TapeFile): HttpLayout {
  const text = textParts(file);
  return /^\s*\[/.test(text.slice(0, 256)) ? { ...layout, at: { ...layout.at, entries: '' } } : layout;
}

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  const paths = jsonOutline(text);
  const isRecording = (entry: string): boolean => paths.has(`${entry}.hash`) && paths.has(`${entry}.request.url`);
  return isRecording('recordings[]') || isRecording('[]') || (paths.has('recordings[]') && paths.has('meta.createdAt'));
}

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

function plainBody(node: JsonNode | undefined): StoredBody {
  return node?.type === 'string' ? textBody(node) : jsonBody(node);
}

function readResponseBody({ entry, node }: BodyContext): StoredBody {
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
    durationMs: delays.length === 0 ? undefined : delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0),
  });
}

/** Milliseconds within the range of a `Date`. */
function isTime(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) <= 8.64e15;
}
