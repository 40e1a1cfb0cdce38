import { compactJson } from '../json/json';
import type { HttpExchange } from '../model/http';
import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import type { Finding } from './finding';

/**
 * Interactions that say exactly what an earlier one says. Asking twice and being answered differently is what sequences
 * are for; where a format cannot replay that, it says so itself.
 */
export function findRepeatedInteractions(text: string, { interactions }: Tape): Finding[] {
  const seen = new Map<string, number>();
  return interactions.flatMap((interaction): Finding[] => {
    const key = identityOf(text, interaction);
    const first = key === undefined ? undefined : seen.get(key);
    if (key !== undefined && first === undefined) seen.set(key, interaction.index);
    return first === undefined ? [] : [repeated(interaction, first)];
  });
}

function repeated({ index, source }: Interaction, first: number): Finding {
  return {
    severity: 'info',
    rule: 'repeated',
    message: `interaction ${index + 1} repeats interaction ${first + 1}, request and answer`,
    fix: 'Remove it, unless the agent really asks twice.',
    span: { start: source.start, end: Math.min(source.end, source.start + 1) },
  };
}

/** What an interaction says, without the times and numbers that a recorder adds. */
function identityOf(text: string, { http, source }: Interaction): string | undefined {
  if (http !== undefined) return httpIdentity(http);
  return source.end > source.start ? text.slice(source.start, source.end) : undefined;
}

function httpIdentity({ method, url, requestBody, status, responseBody }: HttpExchange): string {
  return compactJson([method, url, status ?? null, bodyText(requestBody), bodyText(responseBody)]);
}

function bodyText(body: HttpExchange['requestBody']): string {
  if (body.type === 'text') return body.text;
  if (body.type === 'base64') return body.base64;
  if (body.type === 'json') return compactJson(body.json);
  return body.type === 'chunks' ? body.chunks.map(({ data }) => data).join('') : '';
}
