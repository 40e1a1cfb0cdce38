import type { JsonNode } from '../../../json/jsonNode';
import { member } from '../../../json/readJson';
import { t } from '../../../text/l10n';
import type { Problem } from '../../../text/source';
import { yamlTags } from '../../../yaml/readYaml';
import type { HttpDescription } from '../shared/httpFormat';
import { type BodyContext, stringAt } from '../shared/httpTape';
import { arrayNode, objectNode, withMembers } from '../shared/shape';
import { asBinary, jsonBody, noBody, type StoredBody, scalarBody } from '../shared/storedBody';

/** Where vcrpy and its derivatives store the parts of an exchange, and how they store bodies. */
export const VCRPY_EXCHANGE = {
  at: { url: 'request.uri', request: 'request', status: 'response.status.code', response: 'response' },
  requestBody,
  responseBody,
} satisfies Partial<HttpDescription>;

/** Converts the shapes that vcrpy and its users have written over the years to the one that is read. */
export function vcrpyShape([root]: readonly JsonNode[]): JsonNode | undefined {
  // Before version 1 a cassette was the list itself.
  if (root?.type === 'array') return objectNode({ interactions: arrayNode(root.items.map(entryShape), root) }, root);
  const list = member(root, 'interactions');
  if (root?.type !== 'object' || list?.type !== 'array') return root;
  return withMembers(root, { interactions: arrayNode(list.items.map(entryShape), list) });
}

function entryShape(entry: JsonNode): JsonNode {
  if (entry.type !== 'object') return entry;
  const request = member(entry, 'request');
  const response = member(entry, 'response');
  return withMembers(entry, {
    request: request && requestShape(request),
    response: response && responseShape(response),
  });
}

/** Early versions stored a URL in parts. */
function requestShape(request: JsonNode): JsonNode {
  const host = stringAt(request, 'host');
  if (request.type !== 'object' || host === undefined || member(request, 'uri') !== undefined) return request;
  const port = member(request, 'port');
  const shownPort = port?.type === 'number' && !/^(?:80|443)$/.test(port.lexeme) ? `:${port.lexeme}` : '';
  const value = `${stringAt(request, 'protocol') ?? 'https'}://${host}${shownPort}${stringAt(request, 'path') ?? '/'}`;
  const { start, end } = member(request, 'path') ?? request;
  return withMembers(request, { uri: { type: 'string', value, start, end } });
}

/** The recorder for httpx had field names of its own for a while. */
function responseShape(response: JsonNode): JsonNode {
  const code = member(response, 'status_code');
  if (response.type !== 'object' || code === undefined || member(response, 'status') !== undefined) return response;
  return withMembers(response, { status: objectNode({ code }, code) });
}

/** The body of a request: under its name or, parsed, under `parsed_body`. */
function requestBody({ node }: BodyContext): StoredBody {
  const parsed = node && member(node, 'parsed_body');
  return parsed === undefined ? bodyOf(node && member(node, 'body')) : jsonBody(parsed);
}

function responseBody({ node }: BodyContext): StoredBody {
  const parsed = node && member(node, 'parsed_body');
  if (parsed !== undefined) return jsonBody(parsed);
  const body = node && (member(node, 'body') ?? member(node, 'content'));
  if (body?.type !== 'object') return bodyOf(body);
  const base64 = member(body, 'base64_string');
  if (base64?.type === 'string') return scalarBody(asBinary(base64));
  return bodyOf(member(body, 'string'));
}

/** Both `''` and null stand for no body. */
function bodyOf(node: JsonNode | undefined): StoredBody {
  const content = node && pickled(node);
  if (content?.type === 'object' || content?.type === 'array') return jsonBody(content);
  return content?.type === 'string' && content.value === '' ? noBody(content) : scalarBody(content);
}

/**
 * The value of a Python object that vcrpy serialised: a `BytesIO` has its content first in its state, an iterator has
 * its list first in its arguments.
 */
function pickled(node: JsonNode): JsonNode {
  const state = member(node, 'state') ?? member(node, 'args') ?? node;
  if (state.type !== 'array') return state;
  const [first] = state.items;
  if (first?.type === 'array') return pickled(first);
  return first?.type === 'string' ? first : node;
}

const READABLE =
  /^(?:unicode|str|bytes|tuple|int|long|object\/new:_?io\.BytesIO|object\/apply:(?:__builtin__|builtins)\.(?:iter|frozenset)|object:vcr\.request\.Request)$/;
const PYTHON_TAG = /^(?:!!|!<tag:yaml\.org,2002:)python\/([^\s>]+)/;

/** Tags that would make Python run code. Nothing runs here: their values are read as plain values. */
export function pythonTagProblems(text: string): Problem[] {
  if (!text.includes('!!python/') && !text.includes(':python/')) return [];
  return yamlTags(text).flatMap(({ tag, start, end }): Problem[] => {
    const [, name] = PYTHON_TAG.exec(tag) ?? [];
    if (name === undefined || READABLE.test(name)) return [];
    return [
      {
        severity: 'warning',
        message: t('the tag {0} makes Python run code when it loads this file', tag),
        fix: t(
          'Record the cassette again, or replace the tag and its value with the plain value. Tapedeck ignores the tag.',
        ),
        span: { start, end },
      },
    ];
  });
}
