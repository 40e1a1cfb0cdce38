import { jsonOutline } from '../../json/jsonOutline';
import { decodeBase64 } from '../../wire/base64';
import { headerOf } from '../../wire/body';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { writeAzure } from './azureWrite';
import { EXCHANGES, writing } from './holdings';
import { httpEdits } from './httpEdits';
import { type BodyPlace, type HttpLayout, readJsonHttpTape } from './jsonHttp';
import { editJsonHttpTape, followJsonHttpTape } from './jsonHttpEdit';
import { base64Body, jsonBody, piecesBody, type StoredBody, textBody } from './storedBody';

/**
 * Session records of the Azure SDKs and of System.ClientModel, as their test proxy writes them (Azure/azure-sdk-tools,
 * `RecordEntry.cs`): JSON bodies parsed, other texts as the list of their lines, everything else in base64.
 */
export const azureTestProxyFormat = {
  id: 'azure-test-proxy',
  label: 'Azure test proxy recording',
  syntax: 'json',
  looksLike,
  read: (file) => readJsonHttpTape(layout, file),
  ...writing(EXCHANGES, writeAzure),
  ...httpEdits((file, edit) => editJsonHttpTape(layout, file, edit)),
  follow: (file, changes) => followJsonHttpTape(layout, file, changes),
} satisfies TapeFormat;

const layout: HttpLayout = {
  format: 'azure-test-proxy',
  entries: ['Entries'],
  method: ['RequestMethod'],
  url: ['RequestUri'],
  requestHeaders: ['RequestHeaders'],
  requestBody: ['RequestBody'],
  status: ['StatusCode'],
  responseHeaders: ['ResponseHeaders'],
  responseBody: ['ResponseBody'],
  readRequestBody: readBody,
  readResponseBody: readBody,
};

function looksLike({ text }: TapeFile): boolean {
  const paths = jsonOutline(text);
  return paths.has('Entries[]') && (paths.has('Variables') || paths.has('Entries[].RequestUri'));
}

function readBody({ node, headers }: BodyPlace): StoredBody {
  const type = headerOf(headers, 'content-type') ?? '';
  if (node?.type === 'string') return isText(node.value, type) ? textBody(node) : base64Body(node);
  if (node?.type !== 'array') return jsonBody(node);
  const lines = node.items.map((item) => (item.type === 'string' ? item.value : undefined));
  return isLines(lines, type) ? piecesBody(node) : jsonBody(node);
}

/** The proxy never writes a JSON list as one, but other writers might. */
function isLines(items: readonly (string | undefined)[], type: string): boolean {
  if (items.includes(undefined)) return false;
  return !/json/i.test(type) || items.slice(0, -1).every((item) => item?.endsWith('\n'));
}

function isText(value: string, type: string): boolean {
  if (/^text\/|json|xml|javascript|x-www-form-urlencoded/i.test(type)) return true;
  const mayBeEither = type === '' || /^multipart\//i.test(type);
  return mayBeEither && (value === '' || decodeBase64(value) === undefined);
}
