import { omitUndefined } from '../../../json/fields';
import type { JsonNode } from '../../../json/jsonNode';
import { looksLikeJson } from '../../../json/jsonOutline';
import { nodeAt } from '../../../json/jsonPath';
import { member, parseJson } from '../../../json/readJson';
import type { NotKept } from '../../../model/http';
import type { Timing } from '../../../model/interaction';
import { message } from '../../../text/l10n';
import { decodeBody } from '../../../wire/body/body';
import { headerOf } from '../../../wire/http';
import { any, none } from '../../marks';
import { type HttpDescription, httpFormat } from '../shared/httpFormat';
import { type BodyContext, numberAt, stringAt } from '../shared/httpTape';
import {
  base64Body,
  binaryPartsBody,
  changedValues,
  hexBody,
  hexTextBody,
  jsonBody,
  noBody,
  type StoredBody,
  textBody,
} from '../shared/storedBody';
import { attachedBodies } from './attachedBodies';
import { pollyIds } from './pollyIds';
import { writeHar, writePolly } from './write';

/** What archives are, whoever wrote them. */
const ARCHIVE = {
  ownEndings: ['har'],
  begins: ['log'],
  at: { entries: 'log.entries', version: 'log.version', request: 'request.postData', response: 'response.content' },
  lengths: { request: ['request.bodySize'], response: ['response.content.size', 'response.bodySize'] },
  requestBody,
  responseBody,
  notKept,
  isSizeAlwaysTold: true,
  needsDates: true,
  attached: attachedBodies,
  timing,
  // The names of additions to the standard, which are about the exchange.
  isBeside: (key) => key.startsWith('_'),
  yaml: { step: 2, width: 80, binaryColumns: 76 },
} satisfies Partial<HttpDescription>;

/**
 * Recordings of Polly.JS, which are HAR 1.2 with additional fields (`_id`, `_order`, `_recordingName`), as JSON or,
 * with Cody's persister, as YAML.
 */
export const pollyHarFormat = httpFormat({
  ...ARCHIVE,
  id: 'polly-har',
  label: 'Polly.JS recording',
  files: ['har', 'yaml'],
  marks: 'log._recordingName',
  at: { ...ARCHIVE.at, name: 'log._recordingName', id: '_id' },
  responseBody: pollyBody,
  ids: { at: '_id', of: pollyIds },
  playedWith: message('Polly.JS finds these requests with `matchRequestsBy: { headers: false }`.'),
  tested: { recorder: 'polly', orphans: 'by-name' },
  write: writePolly,
});

/** HTTP archives (HAR 1.2) that browsers and proxies export. */
export const harFormat = httpFormat({
  ...ARCHIVE,
  id: 'har',
  label: 'HTTP archive',
  files: ['har'],
  marks: [any('log.entries[]', ['log.version', 'log.creator']), none('log._recordingName')],
  // YAML is not a syntax of archives, so more is asked of it.
  isOwn: (text) => looksLikeJson(text) || text.includes('startedDateTime'),
  howToKeep: message(
    'Record it again with the bodies in the archive: with `content: \'embed\'` in Playwright, or with "Save all as HAR with content" in the developer tools of a browser. Those in files beside it, or in a zip, are put into a new archive by `tapedeck convert IN OUT.har`.',
  ),
  write: writeHar,
});

/** Cody stores JSON parsed, as `textJSON`. A binary body has an `encoding`, as HAR 1.2 has it for responses. */
function requestBody({ node }: BodyContext): StoredBody {
  const parsed = node && member(node, 'textJSON');
  if (parsed !== undefined) return jsonBody(parsed);
  const text = node && member(node, 'text');
  const encoding = stringAt(node, 'encoding');
  if (encoding === 'base64') return base64Body(text);
  if (encoding === 'hex') return hexBody(text);
  return text === undefined ? formBody(node) : textBody(text);
}

/** A form may be stored only as its fields. */
function formBody(node: JsonNode | undefined): StoredBody {
  const params = nodeAt(node, 'params');
  if (params?.type !== 'array' || params.items.length === 0) return noBody();
  const fields = params.items.map((item) => [stringAt(item, 'name') ?? '', stringAt(item, 'value') ?? '']);
  return {
    ...noBody(params),
    body: { type: 'text', text: fields.map(([name, value]) => `${name}=${value}`).join('&') },
  };
}

function responseBody({ node }: BodyContext): StoredBody {
  const text = node && member(node, 'text');
  const binary = stringAt(node, 'encoding') === 'base64' || isTrue(node && member(node, '_isBinary'));
  const stored = binary ? binaryPartsBody(text) : textBody(text);
  const decoded = node && member(node, 'textDecoded');
  return decoded === undefined ? stored : withDecoded(stored, decoded);
}

/**
 * Polly.JS before version 6 stored bytes in hexadecimal: those of a compressed body as a list of pieces, which it did not mark before
 * version 4.2, and others as one text.
 */
function pollyBody(place: BodyContext): StoredBody {
  const { node, headers } = place;
  const text = node && member(node, 'text');
  if (text?.type !== 'string' || stringAt(node, 'encoding') === 'base64') return responseBody(place);
  const isMarked = isTrue(member(node, '_isBinary'));
  const isBinary = isMarked || BINARY_TYPE.test(stringAt(node, 'mimeType') ?? '');
  if (isBinary && HEX.test(text.value)) return hexTextBody(text);
  const isCompressed = headerOf(headers, 'content-encoding') !== undefined;
  return !isMarked && isCompressed && isHexPieces(text.value) ? binaryPartsBody(text) : responseBody(place);
}

/** So many that no base64 has only these letters. */
const HEX = /^(?:[0-9a-f]{2}){4,}$/;
const BINARY_TYPE = /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|gzip|x-protobuf)/;

function isHexPieces(text: string): boolean {
  const pieces = text.startsWith('["') ? parseJson(text) : undefined;
  return (
    Array.isArray(pieces) && pieces.every((piece) => typeof piece === 'string' && /^(?:[0-9a-f]{2})*$/.test(piece))
  );
}

/** Cody stores compressed content a second time, in readable form. */
function withDecoded(stored: StoredBody, decoded: JsonNode): StoredBody {
  return {
    ...stored,
    replace: (next, write) => {
      const { text = '', json = null } = decodeBody(next);
      const splices = stored.replace(next, write);
      return splices && [...splices, ...changedValues(decoded, decoded.type === 'string' ? text : json, write)];
    },
  };
}

/**
 * Browsers and Playwright have entries of requests that failed, with the status 0 or -1 and a reason. Playwright's bodies may be in
 * files of their own.
 */
function notKept(entry: JsonNode, hasBody: boolean): NotKept | undefined {
  const reason = REASONS.map((path) => stringAt(entry, path)).find(Boolean);
  const status = numberAt(entry, 'response.status');
  if (status !== undefined && status <= 0) return omitUndefined({ why: 'failed' as const, reason });
  if (hasBody) return undefined;
  if (reason !== undefined) return { why: 'failed', reason };
  const file = stringAt(entry, 'response.content._file') ?? stringAt(entry, 'response.content._sha1');
  return file === undefined ? undefined : { why: 'elsewhere', file };
}

/** Of Chrome and mitmproxy, then of Playwright. */
const REASONS = ['response._error', 'response._failureText', '_failureText'];

function isTrue(node: JsonNode | undefined): boolean {
  return node?.type === 'literal' && node.value === true;
}

function timing(entry: JsonNode): Timing {
  const durationMs = numberAt(entry, 'time');
  return omitUndefined({
    recordedAt: stringAt(entry, 'startedDateTime'),
    durationMs: durationMs !== undefined && durationMs >= 0 ? durationMs : undefined,
  });
}
