import { asRecord, asString, isBlank, omitKeys } from '../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../json/json';
import { parseExactJson } from '../json/readJson';

/** Messages of the Model Context Protocol, which are JSON-RPC 2.0. */

type McpMessageKind = 'request' | 'notification' | 'response';

/** Undefined for what is no message of JSON-RPC. */
export function messageKind(message: JsonRecord): McpMessageKind | undefined {
  const hasId = !isBlank(message.id) || message.id === 0;
  if (typeof message.method === 'string') return hasId ? 'request' : 'notification';
  return hasId || 'error' in message ? 'response' : undefined;
}

/** The messages in a line, or in a body: a batch is a list. Undefined if it is not JSON. */
export function parseMessages(text: string): readonly JsonRecord[] | undefined {
  const json = parseExactJson(text);
  if (Array.isArray(json)) return json.filter(isRecord);
  return isRecord(json) ? [json] : undefined;
}

export function methodOf({ method }: JsonRecord): string {
  return asString(method) ?? '';
}

/** An id as a key: 1 and "1" are different ids. */
export function idKey(id: Json | undefined): string {
  return compactJson(id ?? null);
}

/** The token under which a request wants its progress reported. */
export function progressTokenOf({ params }: JsonRecord): Json | undefined {
  return asRecord(asRecord(params)._meta).progressToken;
}

/** The token that a notification of progress is about. */
export function progressOf(message: JsonRecord): Json | undefined {
  return methodOf(message) === 'notifications/progress' ? asRecord(message.params).progressToken : undefined;
}

/** The id of the request that a message cancels. */
export function cancelledIdOf(message: JsonRecord): Json | undefined {
  return methodOf(message) === 'notifications/cancelled' ? asRecord(message.params).requestId : undefined;
}

/**
 * The part of a message that is compared: the method and the params, or the result. Ids and progress tokens are numbered
 * anew by every client, and its version is none of the server's business.
 */
export function comparableMessage(message: JsonRecord): JsonRecord {
  const { method, params, result, error } = message;
  return {
    ...(method !== undefined && { method }),
    ...(isRecord(params) && { params: comparableParams(methodOf(message), params) }),
    ...(result !== undefined && { result }),
    ...(error !== undefined && { error }),
  };
}

function comparableParams(method: string, params: JsonRecord): JsonRecord {
  const meta = omitKeys(asRecord(params._meta), 'progressToken');
  const plain = omitKeys(params, '_meta', ...(method === 'initialize' ? ['clientInfo'] : []), ...idParams(method));
  const given = method === 'tools/call' && isBlank(plain.arguments) ? omitKeys(plain, 'arguments') : plain;
  return isBlank(meta) ? given : { ...given, _meta: meta };
}

/** The params that are ids. */
function idParams(method: string): readonly string[] {
  if (method === 'notifications/progress') return ['progressToken'];
  return method === 'notifications/cancelled' ? ['requestId'] : [];
}

/** What a message is about in a few words: `tools/call write_file`. */
export function messageTitle(message: JsonRecord): string {
  const { name, uri } = asRecord(message.params);
  return [methodOf(message), asString(name) ?? asString(uri)].filter((word) => !isBlank(word)).join(' ');
}
