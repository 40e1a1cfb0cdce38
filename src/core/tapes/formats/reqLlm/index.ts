import { decodeBase64, encodeBase64 } from '../../../bytes/base64';
import { concatBytes } from '../../../bytes/concatBytes';
import { omitUndefined } from '../../../json/fields';
import type { JsonNode } from '../../../json/jsonNode';
import { jsonOutline } from '../../../json/jsonOutline';
import { nodeAt } from '../../../json/jsonPath';
import { member } from '../../../json/readJson';
import type { Chunk, HttpBody } from '../../../model/http';
import type { Timing } from '../../../model/interaction';
import { t } from '../../../text/l10n';
import type { TapeFormat } from '../../format';
import { type TapeFile, textParts } from '../../tapeFile';
import { type BodyContext, type HttpLayout, readJsonHttpTape, stringAt, USUAL_PLACES } from '../shared/httpTape';
import { base64Body, jsonBody, noBody, type StoredBody, textBody } from '../shared/storedBody';

/**
 * Fixtures of req_llm for Elixir (agentjido/req_llm, `test/support/fixtures`): one call a file; streams in base64
 * pieces.
 */
export const reqLlmFormat = {
  id: 'req-llm',
  label: 'req_llm fixture',
  family: 'http',
  extensions: ['json'],
  syntax: 'json',
  looksLike,
  read: (file) => readJsonHttpTape(layout, file),
} satisfies TapeFormat;

const layout: HttpLayout = {
  id: 'req-llm',
  at: {
    ...USUAL_PLACES,
  },
  requestBody: readRequestBody,
  responseBody: readResponseBody,
  timing,
  // The body once more, parsed.
  isBeside: (key) => key === 'canonical_json',
};

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  const paths = jsonOutline(text);
  if (paths.has('captured_at') && paths.has('chunks[].b64')) return true;
  return paths.has('request.url') && (paths.has('request.canonical_json') || paths.has('request.body.b64'));
}

function readRequestBody({ entry, node }: BodyContext): StoredBody {
  const canonical = nodeAt(entry, 'request.canonical_json');
  const stored = storedBody(node);
  return stored.body.type === 'none' && canonical !== undefined ? jsonBody(canonical) : stored;
}

function readResponseBody({ entry, node }: BodyContext): StoredBody {
  const chunks = member(entry, 'chunks');
  if (chunks?.type !== 'array' || chunks.items.length === 0) return storedBody(node);
  const parts = chunks.items.map((chunk) => decodeBase64(stringAt(chunk, 'b64') ?? ''));
  return {
    ...noBody(chunks),
    body: chunksBody(parts.map((part) => part ?? new Uint8Array())),
    ...(parts.includes(undefined) ? { problem: t('a chunk is not valid base64') } : {}),
  };
}

function storedBody(node: JsonNode | undefined): StoredBody {
  const encoded = node && member(node, 'b64');
  if (encoded !== undefined) return base64Body(encoded);
  return node?.type === 'string' ? textBody(node) : jsonBody(node);
}

/** A character may be split over two pieces. Content that is not text is the event stream of AWS. */
function chunksBody(parts: readonly Uint8Array[]): HttpBody {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const chunks = parts.map((part): Chunk => ({ data: decoder.decode(part, { stream: true }) }));
    decoder.decode();
    return { type: 'chunks', chunks };
  } catch {
    return { type: 'base64', base64: encodeBase64(concatBytes(parts)) };
  }
}

function timing(entry: JsonNode): Timing {
  return omitUndefined({ recordedAt: stringAt(entry, 'captured_at') });
}
