import { omitUndefined } from '../../../json/fields';
import type { JsonNode } from '../../../json/jsonNode';
import { jsonOutline, looksLikeJson } from '../../../json/jsonOutline';
import { nodeAt } from '../../../json/jsonPath';
import { member, readJson } from '../../../json/readJson';
import type { NotKept } from '../../../model/http';
import type { Timing } from '../../../model/interaction';
import { message } from '../../../text/l10n';
import type { ParseResult } from '../../../text/source';
import { applySplices, type Splice } from '../../../text/splice';
import { decodeBody } from '../../../wire/body/body';
import { readYaml } from '../../../yaml/readYaml';
import { firstKey } from '../../../yaml/yamlOutline';
import type { DependentEdits, TapeFormat } from '../../format';
import { type TapeFile, textParts } from '../../tapeFile';
import { HTTP_EXCHANGES, writeSubset } from '../../writableFormat';
import { editHttpTape, followHttpTape, httpEditMembers, refuseUnencodable } from '../shared/editHttpTape';
import { type BodyContext, type HttpLayout, numberAt, readHttpTape, stringAt } from '../shared/httpTape';
import {
  base64Body,
  binaryPartsBody,
  changedValues,
  hexBody,
  jsonBody,
  jsonStrings,
  noBody,
  type StoredBody,
  textBody,
  type WriteString,
} from '../shared/storedBody';
import { yamlStrings } from '../shared/yamlHttpTape';
import { followPollyIds, hasOpaqueIds } from './pollyIds';
import { writeHar, writePolly } from './write';

/**
 * Recordings of Polly.JS, which are HAR 1.2 with additional fields (`_id`, `_order`, `_recordingName`), as JSON or,
 * with Cody's persister, as YAML.
 */
export const pollyHarFormat = {
  id: 'polly-har',
  label: 'Polly.JS recording',
  family: 'http',
  tested: { recorder: 'polly', orphans: 'by-name' },
  extensions: ['har', 'yaml'],
  ownEndings: ['har'],
  looksLike: (file) => isPolly(file),
  read: (file) => readHttpTape(polly, parse(file)),
  ...writeSubset(HTTP_EXCHANGES, writePolly),
  playedWith: message('Polly.JS finds these requests with `matchRequestsBy: { headers: false }`.'),
  ...httpEditMembers((file, edit) => refuseUnencodable(file, editHttpTape(polly, parse(file), stringsOf(file), edit))),
  followingEdits: followPolly,
  hasOpaqueIds: (file) => hasOpaqueIds(polly, parse(file).value),
} satisfies TapeFormat;

/** HTTP archives (HAR 1.2) that browsers and proxies export. */
export const harFormat = {
  id: 'har',
  label: 'HTTP archive',
  family: 'http',
  extensions: ['har'],
  ownEndings: ['har'],
  looksLike: (file) => isHar(file) && !isPolly(file),
  read: (file) => readHttpTape(har, parse(file)),
  ...writeSubset(HTTP_EXCHANGES, writeHar),
  ...httpEditMembers((file, edit) => refuseUnencodable(file, editHttpTape(har, parse(file), stringsOf(file), edit))),
  followingEdits: (file, changes) => followOf(har, file, changes),
} satisfies TapeFormat;

const har: HttpLayout = {
  id: 'har',
  at: {
    entries: 'log.entries',
    version: 'log.version',
    method: 'request.method',
    url: 'request.url',
    requestHeaders: 'request.headers',
    request: 'request.postData',
    status: 'response.status',
    responseHeaders: 'response.headers',
    response: 'response.content',
  },
  lengths: { request: ['request.bodySize'], response: ['response.content.size', 'response.bodySize'] },
  requestBody: readRequestBody,
  responseBody: readResponseBody,
  notKept,
  isSizeAlwaysTold: true,
  howToKeep: message(
    'Record it again with the bodies in the archive: with `content: \'embed\'` in Playwright, or with "Save all as HAR with content" in the developer tools of a browser.',
  ),
  timing,
  // The names of additions to the standard, which are about the exchange.
  isBeside: (key) => key.startsWith('_'),
};

const polly: HttpLayout = {
  ...har,
  id: 'polly-har',
  at: {
    ...har.at,
    name: 'log._recordingName',
    id: '_id',
  },
  howToKeep: message('Restore it from version control, or record the tape again.'),
};

function isYaml(file: TapeFile): boolean {
  const text = textParts(file);
  return !looksLikeJson(text) && firstKey(text) === 'log';
}

function isPolly(file: TapeFile): boolean {
  if (isYaml(file))
    return /\n\s+["']?_recordingName["']?:/.test(file.text.slice(0, 4096)) && /\n\s+["']?entries["']?:/.test(file.text);
  return jsonOutline(textParts(file)).has('log._recordingName');
}

function isHar(file: TapeFile): boolean {
  if (isYaml(file))
    return /\n\s+["']?entries["']?:/.test(file.text) && /\n\s+(?:- +)?["']?startedDateTime["']?:/.test(file.text);
  const paths = jsonOutline(textParts(file));
  return paths.has('log.entries[]') || (paths.has('log.version') && paths.has('log.creator'));
}

function parse(file: TapeFile): ParseResult<JsonNode> {
  if (!isYaml(file)) return readJson(textParts(file));
  const { value = [], problems } = readYaml(file.text);
  return { value: value[0], problems };
}

function stringsOf(file: TapeFile): WriteString {
  return isYaml(file) ? yamlStrings(file.text, { step: 2, binaryColumns: 76, width: 80 }) : jsonStrings(file);
}

function followOf(layout: HttpLayout, file: TapeFile, changes: readonly Splice[]): DependentEdits {
  const after = parse({ ...file, text: applySplices(file.text, changes) });
  return followHttpTape(layout, parse(file), after, stringsOf(file));
}

function followPolly(file: TapeFile, changes: readonly Splice[]): DependentEdits {
  const lengths = followOf(polly, file, changes);
  const free = lengths.splices.filter(({ start, end }) => !changes.some((one) => start < one.end && one.start < end));
  // Ids may be made of headers too, which state lengths.
  const after = parse({ ...file, text: applySplices(file.text, [...changes, ...free]) });
  const ids = followPollyIds(polly, parse(file).value, after.value, stringsOf(file));
  return {
    splices: [...lengths.splices, ...ids.splices],
    dependents: [...lengths.dependents, ...ids.dependents],
  };
}

/** Cody stores JSON parsed, as `textJSON`. A binary body has an `encoding`, as HAR 1.2 has it for responses. */
function readRequestBody({ node }: BodyContext): StoredBody {
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

function readResponseBody({ node }: BodyContext): StoredBody {
  const text = node && member(node, 'text');
  const binary = stringAt(node, 'encoding') === 'base64' || isTrue(node && member(node, '_isBinary'));
  const stored = binary ? binaryPartsBody(text) : textBody(text);
  const decoded = node && member(node, 'textDecoded');
  return decoded === undefined ? stored : withDecoded(stored, decoded);
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
