import type { JsonNode, JsonStringNode } from '../json/jsonDocument';
import type { HttpBody, Tape } from '../tapes/tape';
import type { Span } from '../text/source';
import { decodeBase64 } from '../wire/base64';
import type { Root } from './documents';
import type { Finding } from './finding';

const DATA_URL = /^data:[^,]{0,200};base64,/;

/**
 * Base64 that does not decode: bodies that their format stores so, strings that YAML tags as binary, and data URLs that
 * are values of their own.
 */
export function badBase64(text: string, tape: Tape, roots: readonly Root[]): Finding[] {
  const bodies = new Set(
    tape.interactions.flatMap(({ http }) => [http?.requestBody, http?.responseBody].flatMap(badBody)),
  );
  const findings: Finding[] = [];
  for (const { node, offset } of roots) visit(node, (string) => findings.push(...check(text, string, offset, bodies)));
  return findings;
}

function badBody(body: HttpBody | undefined): string[] {
  return body?.type === 'base64' && decodeBase64(body.base64) === undefined ? [body.base64] : [];
}

function visit(node: JsonNode, each: (string: JsonStringNode) => void): void {
  if (node.type === 'string') each(node);
  if (node.type === 'array') for (const item of node.items) visit(item, each);
  if (node.type === 'object') for (const { value } of node.members) visit(value, each);
}

function check(text: string, node: JsonStringNode, offset: number, bodies: ReadonlySet<string>): Finding[] {
  const prefix = DATA_URL.exec(node.value.slice(0, 256))?.[0];
  const encoded = node.binary || bodies.has(node.value) ? node.value : prefix && node.value.slice(prefix.length);
  if (encoded === undefined || decodeBase64(encoded) !== undefined) return [];
  const span = firstBad(text, { start: node.start + offset, end: node.end + offset }, prefix?.length ?? 0);
  const message = 'this is no valid base64: what was recorded here is lost, or was changed by hand';
  const fix = 'Restore it from version control, or record the tape again.';
  return [{ severity: 'error', rule: 'base64', message, fix, span }];
}

/** The first character that cannot stand in base64; the end of what was cut off. */
function firstBad(text: string, { start, end }: Span, skipped: number): Span {
  const token = text.slice(start, end);
  const opening = /^(?:[|>][^\n]*\n|["'])?/.exec(token)?.[0].length ?? 0;
  const content = token.slice(opening + skipped).replace(/["']\s*$/, '');
  const bad = content.search(/[^A-Za-z0-9+/=\s_-]|=(?=\s*[^=\s])/);
  const at = start + opening + skipped + (bad === -1 ? Math.max(0, content.trimEnd().length - 1) : bad);
  return { start: Math.min(at, end), end: Math.min(at + 1, end) };
}
