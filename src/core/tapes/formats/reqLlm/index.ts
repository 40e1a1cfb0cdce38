import { decodeBase64, encodeBase64 } from '../../../bytes/base64';
import { concatBytes } from '../../../bytes/concatBytes';
import { omitUndefined } from '../../../json/fields';
import type { JsonNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { member } from '../../../json/readJson';
import type { Chunk, HttpBody } from '../../../model/http';
import { t } from '../../../text/l10n';
import { any } from '../../marks';
import { httpFormat } from '../shared/httpFormat';
import { type BodyContext, stringAt } from '../shared/httpTape';
import { base64Body, jsonBody, noBody, plainBody, type StoredBody } from '../shared/storedBody';

/**
 * Fixtures of req_llm for Elixir (agentjido/req_llm, `test/support/fixtures`): one call a file; streams in base64
 * pieces.
 */
export const reqLlmFormat = httpFormat({
  id: 'req-llm',
  label: 'req_llm fixture',
  files: ['json'],
  marks: any(['captured_at', 'chunks[].b64'], ['request.url', any('request.canonical_json', 'request.body.b64')]),
  requestBody,
  responseBody,
  timing: (entry) => omitUndefined({ recordedAt: stringAt(entry, 'captured_at') }),
  // The body once more, parsed.
  isBeside: (key) => key === 'canonical_json',
  isReadOnly: true,
});

function requestBody({ entry, node }: BodyContext): StoredBody {
  const canonical = nodeAt(entry, 'request.canonical_json');
  const stored = storedBody(node);
  return stored.body.type === 'none' && canonical !== undefined ? jsonBody(canonical) : stored;
}

function responseBody({ entry, node }: BodyContext): StoredBody {
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
  return encoded === undefined ? plainBody(node) : base64Body(encoded);
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
