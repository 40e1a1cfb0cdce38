import { digest53 } from '../../hash/digest53';
import { compactJson, type Json, jsonEqual } from '../../json/json';
import type { HttpBody } from '../../model/http';
import type { Interaction } from '../../model/interaction';
import { t } from '../../text/l10n';
import { type Difference, differenceOf } from './difference';
import { differingPlaces, excerptOf } from './excerpts';
import { interactionExcerpt } from './interactionShape';

/** What an interaction means, without when it was recorded. */
const MEANT_PARTS = ['kind', 'request', 'response', 'http', 'declared'] as const;

/** Whether two interactions differ in nothing but times and ids. */
export function isEqualInMeaning(before: Interaction, after: Interaction): boolean {
  return MEANT_PARTS.every((part) => jsonEqual(before[part], after[part]));
}

/**
 * Two versions of an interaction that is too large to compare in detail, as one change with the first places that differ.
 * No rule ignores it.
 */
export function largeEdit(before: Interaction, after: Interaction): Difference {
  const places = differingPlaces(meantParts(before), meantParts(after));
  return {
    ...differenceOf('interaction', [], places.before, places.after, {
      name: t('Interaction changed; too large to compare in detail'),
      rules: [],
    }),
    identity: [contentDigest(before), contentDigest(after)],
  };
}

/** An interaction that only one tape has, or that has moved, without most of its content. */
export function largeInteraction(before: Interaction | undefined, after: Interaction | undefined): Difference {
  const shown = (one: Interaction | undefined) => one && interactionExcerpt(standIn(one));
  return {
    ...differenceOf('interaction', [], shown(before), shown(after)),
    identity: [before ? contentDigest(before) : '', after ? contentDigest(after) : ''],
  };
}

/** A digest of everything that an interaction means: for finding candidates for equality, and for ids. */
export function contentDigest(interaction: Interaction): string {
  const text = compactJson(MEANT_PARTS.map((part) => (interaction[part] ?? null) as Json));
  return `${text.length}:${digest53(text).toString(36)}`;
}

/** The interaction with little of its content, by which it is aligned with others. */
export function standIn(interaction: Interaction): Interaction {
  const { index, kind, source, id, api, summary, request, response, timing, http } = interaction;
  const isRead = request !== undefined || response !== undefined;
  const body = (recorded: HttpBody): HttpBody => (isRead ? { type: 'none' } : beginningOf(recorded));
  return {
    ...{ index, kind, source, id, api, summary, timing },
    request: excerptOf(request),
    response: excerptOf(response),
    http: http && { ...excerptOf(http), requestBody: body(http.requestBody), responseBody: body(http.responseBody) },
  };
}

/** What is encoded cannot be cut. */
function beginningOf(body: HttpBody): HttpBody {
  return body.type === 'text' || body.type === 'json' ? excerptOf(body) : { type: 'none' };
}

function meantParts(interaction: Interaction): Partial<Interaction> {
  return Object.fromEntries(MEANT_PARTS.map((part) => [part, interaction[part]]));
}
