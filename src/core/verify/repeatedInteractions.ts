import { compactJson } from '../json/json';
import type { HttpExchange } from '../model/http';
import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { t } from '../text/l10n';
import type { Finding } from './finding';

/**
 * Reports interactions that are identical to an earlier one. The same request with another response is no repetition: replay
 * by sequence serves both, and formats that cannot replay it report that themselves.
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

function bodyText(body: HttpExchange['requestBody']): string {
  if (body.type === 'text') return body.text;
  if (body.type === 'base64') return body.base64;
  if (body.type === 'json') return compactJson(body.json);
  return body.type === 'chunks' ? body.chunks.map(({ data }) => data).join('') : '';
}
