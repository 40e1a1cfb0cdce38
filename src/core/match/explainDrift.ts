import { isRecord, type Json } from '../json/json';
import type { Mask } from '../model/case';
import type { ComparableRequest } from './comparableRequest';
import { compareRequests, countChanges, type RequestChanges } from './compareRequests';
import { proposeMasks } from './proposeMasks';
import type { MatchRules, Recordings } from './recordings';
import { type RequestParts, requestParts } from './requestParts';
import { maskedParts, type Signature } from './signature';

/** Why a request has no recording that answers it. Plain data. */
export interface Drift {
  /**
   * `missing`: nothing like it was recorded. `drifted`: it differs from what was recorded. `used-up`: it was recorded,
   * and every recording of it has been served. `out-of-order`: it was recorded in another place than the next.
   */
  readonly kind: 'missing' | 'drifted' | 'used-up' | 'out-of-order';
  /** Of the request. */
  readonly model?: string;
  /** The start of the last message that the user wrote. */
  readonly lastUserMessage?: string;
  /** How many recordings there are. */
  readonly recorded: number;
  /** The recording that is most alike; `used` when it has been served already. */
  readonly nearest?: { readonly index: number; readonly used: boolean };
  /** The recordings of this very request, where there are some. */
  readonly same: readonly number[];
  /** Against the nearest recording; absent where there is none. */
  readonly changes?: RequestChanges;
  /** Masks with which the request would match the nearest recording; empty where none would do. */
  readonly masks: readonly Mask[];
}

export interface UnmatchedRequest {
  readonly comparable: ComparableRequest;
  readonly signature: Signature;
  readonly recordings: Recordings;
  readonly rules: MatchRules;
  /** In a sequence: the recording that was served in its place. */
  readonly served?: number | undefined;
  isServed(at: number): boolean;
}

/** Why a request was not answered. Indexes are positions among the recordings. */
export function explainDrift(missed: UnmatchedRequest): Drift {
  const { comparable, recordings, signature } = missed;
  const now = requestParts(comparable);
  const about = { ...describe(now), recorded: recordings.length };
  const { masked: same } = recordings.equal(signature);
  const [first] = same;
  if (first !== undefined) {
    const isNext = same.every((at) => missed.isServed(at));
    const kind = isNext ? 'used-up' : 'out-of-order';
    return { ...about, kind, nearest: { index: first, used: isNext }, same, masks: [] };
  }
  const near = missed.served === undefined ? recordings.nearest(comparable, signature) : [missed.served];
  const candidates = near.map((at) => candidate(at, now, missed));
  const best = candidates.sort((left, right) => left.distance - right.distance)[0];
  if (best === undefined || (missed.served === undefined && !best.isAlike))
    return { ...about, kind: 'missing', same, masks: [] };
  return {
    ...about,
    kind: 'drifted',
    nearest: { index: best.at, used: best.at !== missed.served && missed.isServed(best.at) },
    same,
    changes: best.changes,
    masks: proposeMasks(best.recorded, now, missed.rules.masks),
  };
}

interface Candidate {
  readonly at: number;
  readonly recorded: RequestParts;
  readonly changes: RequestChanges;
  readonly distance: number;
  /** There is something that people would call the same request. */
  readonly isAlike: boolean;
}

/** What has been served already is a little farther away. */
const SERVED = 0.5;

function candidate(at: number, now: RequestParts, { recordings, rules, isServed }: UnmatchedRequest): Candidate {
  const recorded = requestParts(recordings.request(at));
  const changes = compareRequests(maskedParts(recorded, rules.masks), maskedParts(now, rules.masks));
  const strangers = changes.messages.filter(({ type }) => type === 'added').length;
  return {
    at,
    recorded,
    changes,
    distance: countChanges(changes) + (isServed(at) ? SERVED : 0),
    isAlike: now.messages.length === 0 ? countChanges(changes) < 3 : strangers < now.messages.length,
  };
}

const PREVIEW = 120;

function describe({ model, messages }: RequestParts): Pick<Drift, 'model' | 'lastUserMessage'> {
  const said = messages.findLast(({ name, value }) => name === 'user' && blockText(value).trim() !== '');
  const text = said && blockText(said.value).trim().replace(/\s+/g, ' ');
  const start = text === undefined || text.length <= PREVIEW ? text : `${text.slice(0, PREVIEW)}…`;
  return { ...(model === undefined ? {} : { model }), ...(start === undefined ? {} : { lastUserMessage: start }) };
}

/** The words of a message as it stands on the wire, of any protocol: its texts, without what is no text. */
export function blockText(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(blockText).filter(Boolean).join('\n');
  if (!isRecord(value)) return '';
  const said = value.content ?? value.parts ?? value.text ?? value.output ?? value.message;
  return said === undefined ? '' : blockText(said);
}
