import { decodeBase64, encodeBase64 } from '../../../bytes/base64';
import { compactJson } from '../../../json/json';
import type { JsonNode, JsonStringNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { exactValue, member } from '../../../json/readJson';
import type { NotKept } from '../../../model/http';
import { t } from '../../../text/l10n';
import { httpFormat } from '../shared/httpFormat';
import { type BodyContext, stringAt } from '../shared/httpTape';
import { arrayNode, withMembers } from '../shared/shape';
import { jsonBody, noBody, type StoredBody, scalarOrNone } from '../shared/storedBody';

/** Cassettes of Elixir's ExVCR (parroty/exvcr), as its adapters record them. */
export const exvcrFormat = httpFormat({
  id: 'exvcr',
  label: 'ExVCR cassette',
  files: ['json'],
  marks: ['[].request.url', '[].request.options', '[].response.status_code', '[].response.type'],
  at: { entries: '', status: 'response.status_code' },
  shape: ([root]) => (root?.type === 'array' ? arrayNode(root.items.map(withCode), root) : root),
  requestBody: ({ node }) => scalarOrNone(node),
  responseBody,
  notKept,
  isBeside: (key) => key === 'options' || key === 'request_body',
  isReadOnly: true,
});

/** The adapter of `httpc` records a status as its line: the version, the code, and the reason. */
function withCode(entry: JsonNode): JsonNode {
  const response = member(entry, 'response');
  const line = member(response, 'status_code');
  if (entry.type !== 'object' || response?.type !== 'object' || line?.type !== 'array') return entry;
  return withMembers(entry, { response: withMembers(response, { status_code: line.items[1] }) });
}

function responseBody({ entry, node }: BodyContext): StoredBody {
  const binary = nodeAt(entry, 'response.binary');
  const isBinary = binary?.type === 'literal' && binary.value === true;
  if (node?.type !== 'string') return jsonBody(node);
  return isBinary ? termBody(node) : scalarOrNone(node);
}

/** How Erlang's external terms begin: their version, and the tag of a binary, which is followed by its length in four bytes. */
const VERSION = 131;
const BINARY = 109;
const HEADER_LENGTH = 6;

function termBody(node: JsonStringNode): StoredBody {
  const term = decodeBase64(node.value);
  if (term?.[0] !== VERSION || term[1] !== BINARY)
    return { ...noBody(node), problem: t('the body is not a binary of Erlang in base64') };
  return { ...noBody(node), body: { type: 'base64', base64: encodeBase64(term.slice(HEADER_LENGTH)) } };
}

function notKept(entry: JsonNode): NotKept | undefined {
  if (stringAt(entry, 'response.type') !== 'error') return undefined;
  const reason = nodeAt(entry, 'response.body');
  if (reason === undefined) return { why: 'failed' };
  return { why: 'failed', reason: reason.type === 'string' ? reason.value : compactJson(exactValue(reason)) };
}
