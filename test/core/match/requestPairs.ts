import type { Json } from '../../../src/core/json/json';
import { parseMask } from '../../../src/core/match/masks';
import { createMatcher } from '../../../src/core/match/matcher';
import { recordedRequests } from '../../../src/core/match/recordings';
import type { MatchMode } from '../../../src/core/model/case';

export interface PairOptions {
  readonly url?: string;
  readonly masks?: readonly string[];
  readonly match?: MatchMode;
}

/** How a request with one body matches a recording of a request with another. */
export function matchOf(
  before: Json,
  after: Json,
  { url = 'https://api.example.com/v1/chat/completions', masks = [], match = 'exact' }: PairOptions = {},
) {
  const http = {
    method: 'POST',
    url,
    requestHeaders: [],
    requestBody: { type: 'text' as const, text: JSON.stringify(before) },
    status: 200,
    responseHeaders: [],
    responseBody: { type: 'none' as const },
  };
  const interactions = [{ index: 0, kind: 'llm' as const, http, source: { start: 0, end: 0 } }];
  const recorded = recordedRequests({ format: 'vcrpy', interactions, problems: [] }, {});
  const matcher = createMatcher(recorded, { match, masks: masks.flatMap((mask) => parseMask(mask) ?? []) });
  return matcher.take({ method: 'POST', url, headers: [], body: new TextEncoder().encode(JSON.stringify(after)) });
}
