import type { JsonNode } from '../../../json/jsonNode';
import { member } from '../../../json/readJson';
import type { HttpBody, HttpHeader } from '../../../model/http';
import type { Interaction, RecordedInteraction } from '../../../model/interaction';
import { t } from '../../../text/l10n';
import type { Problem } from '../../../text/source';
import { bodyContent } from '../../../wire/body/bodyContent';
import { headerOf } from '../../../wire/http';
import { writeYaml, type YamlRecord } from '../../../yaml/writeYaml';
import { any } from '../../marks';
import { httpFormat } from '../shared/httpFormat';
import { type BodyContext, storedHeaders, stringAt } from '../shared/httpTape';
import { recordedExchange } from '../shared/recordedHttp';
import { arrayNode, objectNode } from '../shared/shape';
import { base64Body, type StoredBody, scalarBody } from '../shared/storedBody';

/**
 * Recordings of Rust's httpmock (httpmock/httpmock), as rig stores them: a YAML document for each exchange, with the
 * expected request and its response. The host is not recorded.
 */
export const httpmockFormat = httpFormat({
  id: 'httpmock',
  label: 'httpmock recording',
  files: ['yaml', 'yml'],
  syntax: 'text',
  begins: ['when', 'then'],
  marks: ['when', any('then.status', 'then.header', 'then.body')],
  shape,
  hasDocuments: true,
  at: {
    entries: '',
    requestHeaders: 'request.header',
    request: 'request.when',
    responseHeaders: 'response.header',
    response: 'response',
  },
  body,
  problems: (_, { interactions }) => interactions.flatMap(lostBody),
  // serde_yaml does not fold long lines.
  yaml: { step: 2, binaryColumns: 76 },
  write,
});

/** Skips empty documents: a file may begin or end with `---`. */
function shape(documents: readonly JsonNode[]): JsonNode {
  const exchanges = documents.filter((node) => node.type !== 'literal').map(entryShape);
  return arrayNode(exchanges, { start: 0, end: documents.at(-1)?.end ?? 0 });
}

function entryShape(node: JsonNode): JsonNode {
  const when = member(node, 'when');
  if (when?.type !== 'object') return node;
  const path = member(when, 'path');
  const url: JsonNode = { ...(path ?? when), type: 'string', value: addressOf(when) } as JsonNode;
  const request = objectNode(
    { method: member(when, 'method') ?? anyMethod(when), url, header: member(when, 'header'), when },
    when,
  );
  return objectNode({ request, response: member(node, 'then') }, node);
}

/** A mock without a method matches any method. */
function anyMethod(when: JsonNode): JsonNode {
  const value = member(when, 'body')?.type === 'string' ? 'POST' : 'GET';
  return { type: 'string', value, start: when.start, end: when.start };
}

function addressOf(when: JsonNode): string {
  const query = storedHeaders(member(when, 'query_param')).map(
    ({ name, value }) => `${percentEncoded(name)}=${percentEncoded(value)}`,
  );
  const path = stringAt(when, 'path') ?? '';
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** The recording has decoded names and values. */
function percentEncoded(text: string): string {
  return text.replace(/[%&#+ ]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
}

function body({ node }: BodyContext): StoredBody {
  const base64 = node && member(node, 'body_base64');
  if (base64 !== undefined) return base64Body(base64);
  const text = node && member(node, 'body');
  return stringAt(node, 'body_encoding') === 'base64' ? base64Body(text) : scalarBody(text);
}

/** Older versions of the recorder wrote null in place of bytes that are not text. */
function lostBody({ http, source }: Interaction): Problem[] {
  const type = headerOf(http?.responseHeaders ?? [], 'content-type') ?? '';
  if (http?.responseBody.type !== 'none' || !/^(?:audio|image|video)\//i.test(type)) return [];
  return [
    {
      severity: 'warning',
      message: t('the recorder lost the body of this response: it has the type {0} and no content', type),
      fix: t('Record it again with a version of the recorder that writes `body_encoding: base64`.'),
      span: { start: source.start, end: Math.min(source.start + 1, source.end) },
    },
  ];
}

/**
 * The inverse of `percentEncoded`, which also decodes the other escapes of clients. Text with broken escapes is
 * unchanged.
 */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** A whole recording as rig writes it, with serde_yaml. The host is left out. */
function write(_name: string, interactions: readonly RecordedInteraction[]): string {
  const documents = interactions.map(recordedExchange).map((exchange) => {
    const [, path = '', query = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)\??([^#]*)/i.exec(exchange.url) ?? [];
    return writeYaml(
      {
        when: {
          path,
          method: exchange.method.toUpperCase(),
          query_param: queryOf(query),
          header: namedValues(exchange.requestHeaders),
          ...encodedBody(exchange.requestBody),
        },
        // biome-ignore lint/suspicious/noThenProperty: the file has a field of this name.
        then: {
          status: exchange.status ?? 200,
          header: namedValues(exchange.responseHeaders),
          ...encodedBody(exchange.responseBody),
        },
      },
      { binaryColumns: 76, binaryTag: '!!binary |', blocks: true },
    );
  });
  return documents.join('---\n');
}

function namedValues(headers: readonly HttpHeader[]): YamlRecord[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function queryOf(query: string): YamlRecord[] {
  return query === ''
    ? []
    : query.split('&').map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return { name: percentDecoded(name), value: percentDecoded(value.join('=')) };
      });
}

function encodedBody(body: HttpBody): YamlRecord {
  const content = bodyContent(body);
  if (content === undefined) return { body: null };
  return 'text' in content ? { body: content.text } : { body: content.base64, body_encoding: 'base64' };
}
