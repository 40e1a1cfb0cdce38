import { isRecord, type Json } from '../json/json';
import type { Mask } from '../model/case';
import type { NotKept } from '../model/http';
import type { MissKind } from '../model/run';
import type { ComparableRequest } from './comparableRequest';
import { countChanges, type RequestChanges } from './compareRequests';
import { type NearRecording, rankRecordings } from './nearRecording';
import { proposeMasks } from './proposeMasks';
import type { MatchRules, Recordings } from './recordings';
import { type RequestParts, requestParts } from './requestParts';
import type { Signature } from './signature';

/** Why a request has no recording to serve. Plain data. */
export interface Drift {
  readonly kind: MissKind;
  /** The model of the request. */
  readonly model?: string;
  /** Method, host and path of a request to a host that is no model's. */
  readonly to?: string;
  /** The beginning of the last user message. */
  readonly lastUserMessage?: string;
  /** The number of recordings. */
  readonly recorded: number;
  /** The most similar recording; `used` if it has already been served. */
  readonly nearest?: { readonly index: number; readonly used: boolean };
  /** The recordings of exactly this request. */
  readonly same: readonly number[];
  /** A recording of this request that cannot be served, where there is no other. */
  readonly lacking?: { readonly index: number; readonly lack: NotKept };
  /** Compared with the nearest recording of the endpoint; absent if there is none. */
  readonly changes?: RequestChanges;
  /** Masks with which the request would match the nearest recording; empty if no masks would suffice. */
  readonly masks: readonly Mask[];
}

interface UnmatchedRequest {
  readonly comparable: ComparableRequest;
  readonly signature: Signature;
  readonly recordings: Recordings;
  readonly rules: MatchRules;
  /** The recording that was served for it although it differs. */
  readonly served?: number | undefined;
  /** In a sequence, the recording whose turn it was. */
  readonly expected?: number | undefined;
  /** Only recordings of this host are compared. */
  readonly host?: string | undefined;
  isServed(at: number): boolean;
}

/** Explains why a request was not matched. Indexes are positions among the recordings. */
export function explainDrift(missed: UnmatchedRequest): Drift {
  const { comparable, recordings, signature } = missed;
  const now = requestParts(comparable);
  const to = missed.host === undefined ? {} : { to: addressAt(missed.host, comparable) };
  const about = { ...describe(now), ...to, recorded: recordings.length };
  const { masked: same } = recordings.equal(comparable, signature, missed.host);
  const [first] = same;
  if (first !== undefined) {
    const isUsedUp = same.every((at) => missed.isServed(at));
    const kind = isUsedUp ? 'used-up' : 'out-of-order';
    return { ...about, kind, nearest: { index: first, used: isUsedUp }, same, masks: [] };
  }
  const { served, expected, host } = missed;
  const among = host === undefined ? undefined : recordings.atHost([...Array(recordings.length).keys()], host);
  const near = served === undefined ? withFirst(expected, recordings.nearest(comparable, signature, among)) : [served];
  const rank = ({ at, distance }: NearRecording) => distance + (missed.isServed(at) ? SERVED_DISTANCE : 0);
  const candidates = [...rankRecordings(near, now, recordings, missed.rules.masks)];
  const best = candidates.sort((left, right) => rank(left) - rank(right))[0];
  if (best === undefined) return { ...about, kind: 'missing', same, masks: [] };
  const isVersion = best.at === served || best.at === expected || isSimilar(best, now);
  return {
    ...about,
    kind: isVersion ? 'drifted' : 'missing',
    nearest: { index: best.at, used: best.at !== missed.served && missed.isServed(best.at) },
    same,
    changes: best.changes,
    masks: !isVersion ? [] : proposeMasks(best.recorded, now, missed.rules.masks),
  };
}

/** Such as `GET api.weather.example/forecast`. */
function addressAt(host: string, { address = '' }: ComparableRequest): string {
  return address.replace(' ', ` ${host}`);
}

function withFirst(first: number | undefined, others: readonly number[]): readonly number[] {
  return first === undefined ? others : [first, ...others.filter((other) => other !== first)];
}

/** Added to the distance of a recording that has already been served. */
const SERVED_DISTANCE = 0.5;

/** Whether two requests have enough in common to be versions of one. */
function isSimilar({ changes }: NearRecording, now: RequestParts): boolean {
  const addedMessages = changes.messages.filter(({ type }) => type === 'added').length;
  return now.messages.length === 0 ? countChanges(changes) < 3 : addedMessages < now.messages.length;
}

const PREVIEW_LENGTH = 120;

function describe({ model, messages }: RequestParts): Pick<Drift, 'model' | 'lastUserMessage'> {
  const last = messages.findLast(({ name, value }) => name === 'user' && blockText(value).trim() !== '');
  const text = last && blockText(last.value).trim().replace(/\s+/g, ' ');
  const start = text === undefined || text.length <= PREVIEW_LENGTH ? text : `${text.slice(0, PREVIEW_LENGTH)}…`;
  return { model, lastUserMessage: start };
}

/** The text of a message in the form of any protocol, without images and other parts. */
export function blockText(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(blockText).filter(Boolean).join('\n');
  if (!isRecord(value)) return '';
  const inner = value.content ?? value.parts ?? value.text ?? value.output ?? value.message;
  return inner === undefined ? '' : blockText(inner);
}
