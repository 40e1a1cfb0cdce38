import type { Json } from '../../json/json';
import { compactJson } from '../../wire/compactJson';
import { parseJson } from '../../wire/parseJson';
import { storedContent } from '../recordedExchange';
import type { HttpBody, HttpHeader } from '../tape';

/**
 * The object or list of a body that formats may store parsed: only where nothing is lost by that. Other JSON would be
 * taken for a text, or for no body.
 */
export function jsonOf(body: HttpBody): (Json & object) | undefined {
  const json = body.type === 'json' ? body.json : losslessJson(body);
  return typeof json === 'object' && json !== null ? json : undefined;
}

function losslessJson(body: HttpBody): Json | undefined {
  const content = storedContent(body);
  if (content === undefined || !('text' in content)) return undefined;
  const json = parseJson(content.text);
  return json !== undefined && compactJson(json) === content.text ? json : undefined;
}

/** The text of a body; undefined where it is none. */
export function textOfBody(body: HttpBody): string | undefined {
  const content = storedContent(body);
  return content !== undefined && 'text' in content ? content.text : undefined;
}

/** The base64 of a body that is no text. */
export function base64OfBody(body: HttpBody): string | undefined {
  const content = storedContent(body);
  return content !== undefined && 'base64' in content ? content.base64 : undefined;
}

/** Headers as an object. Several of one name become one, as HTTP allows. */
export function headerObject(headers: readonly HttpHeader[]): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const known = joined.get(name);
    joined.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return Object.fromEntries(joined);
}
