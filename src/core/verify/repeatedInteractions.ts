import { compactJson, type Json } from '../json/json';
import type { HttpBody, HttpExchange } from '../model/http';
import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { t } from '../text/l10n';
import type { Finding } from './finding';

/**
 * Reports interactions that are identical to an earlier one. The same request with another response is no repetition: replay
 * by sequence serves both, and formats that cannot replay it report that themselves. In no order.
 */
export function findRepeatedInteractions(text: string, { interactions }: Tape): Finding[] {
  const alike = new Map<string, Interaction[]>();
  for (const interaction of interactions) {
    // What was not kept may have been another response.
    if (interaction.http?.notKept !== undefined) continue;
    const key = likenessOf(interaction);
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [interaction]);
    else others.push(interaction);
  }
  return [...alike.values()].flatMap((some) => (some.length < 2 ? [] : repeatedAmong(text, some)));
}

function repeatedAmong(text: string, interactions: readonly Interaction[]): Finding[] {
  const seen = new Map<string, number>();
  return interactions.flatMap((interaction): Finding[] => {
    const key = identityOf(text, interaction);
    const first = key === undefined ? undefined : seen.get(key);
    if (key !== undefined && first === undefined) seen.set(key, interaction.index);
    return first === undefined ? [] : [repeated(interaction, first)];
  });
}

/** What interactions that are identical have in common, found without writing their bodies. */
function likenessOf({ http, source }: Interaction): string {
  if (http === undefined) return `${source.end - source.start}`;
  const { method, url, requestBody, status, responseBody } = http;
  return `${method} ${url} ${status} ${weightOf(requestBody)} ${weightOf(responseBody)}`;
}

function weightOf(body: HttpBody): number {
  return body.type === 'json' ? jsonWeight(body.json) : bodyText(body).length;
}

/** The length of all strings in it, and the number of other values. */
function jsonWeight(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const item of Object.values(value)) weight += jsonWeight(item);
  return weight;
}

function repeated({ index, source }: Interaction, first: number): Finding {
  return {
    severity: 'info',
    rule: 'repeated',
    message: t('interaction {0} has the same request and response as interaction {1}', index + 1, first + 1),
    fix: t('Remove it, unless the agent really sends the request twice.'),
    span: { start: source.start, end: Math.min(source.end, source.start + 1) },
  };
}

/** The content of an interaction without the times and numbers that recorders add. */
function identityOf(text: string, { http, source }: Interaction): string | undefined {
  if (http !== undefined) return httpIdentity(http);
  return source.end > source.start ? text.slice(source.start, source.end) : undefined;
}

function httpIdentity({ method, url, requestBody, status, responseBody }: HttpExchange): string {
  return compactJson([method, url, status ?? null, bodyText(requestBody), bodyText(responseBody)]);
}

function bodyText(body: HttpBody): string {
  if (body.type === 'text') return body.text;
  if (body.type === 'base64') return body.base64;
  if (body.type === 'json') return compactJson(body.json);
  return body.type === 'chunks' ? body.chunks.map(({ data }) => data).join('') : '';
}
