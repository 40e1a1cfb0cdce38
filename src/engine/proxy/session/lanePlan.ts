import { type JoinedRules, MATCHING } from '../../../core/cases/toml/replaySpec';
import type { Json } from '../../../core/json/json';
import type { MasksIn } from '../../../core/match/formatDrift';
import { type Place, readValue } from '../../../core/schema/readValue';
import { optional, shape, text, type Value } from '../../../core/schema/schema';
import { message, t } from '../../../core/text/l10n';
import { UserError } from '../../errors/userError';
import type { ProxyMode } from './sessionOptions';

/**
 * Where the responses of a test come from, as test runners say it. `none`: the tape. `once`: the tape, and where there is none, the
 * upstream. `new`: the tape, and for requests that are not on it, the upstream. `rewrite`: the upstream.
 */
const LANE_MODES = ['none', 'once', 'new', 'rewrite'] as const;
export type LaneMode = (typeof LANE_MODES)[number];

const LANE_PLAN = shape({
  /** From the working folder of the server. */
  tape: optional(text()),
  mode: optional(text('', { enum: LANE_MODES, refusal: message('unknown mode: {0}') })),
  match: optional(MATCHING.match),
  mask: optional(MATCHING.mask),
  on_drift: optional(MATCHING.on_drift),
  /** The id of the test, which its tape keeps. */
  test: optional(text()),
  /** A sentence about how to record its tape again, in the words of the runner. */
  rerecord: optional(text()),
});

/** What a test runner says of a lane before its first request. What it leaves out is as for all lanes. */
export type LanePlan = Value<typeof LANE_PLAN>;

/** A lane that has made no request yet. */
export interface PlannedLane {
  /** Absolute. */
  readonly tapePath: string;
  readonly mode: ProxyMode;
  /** Where they are not those of the proxy. */
  readonly rules?: JoinedRules;
  /** The id of its test. */
  readonly test?: string | undefined;
  /** How to record it again, where that is not with the options of the command. */
  readonly rerecord?: string;
  readonly masksIn?: MasksIn;
}

/** Throws a `UserError` that says what is wrong in it. */
export function parseLanePlan(body: string): LanePlan {
  const problems: string[] = [];
  const plan = readValue(LANE_PLAN, jsonOf(body), placeOf('', problems));
  const [problem] = problems;
  if (problem !== undefined) throw new UserError(() => problem);
  return plan;
}

function placeOf(key: string, problems: string[]): Place {
  return {
    key,
    at: (...path) => placeOf(String(path.at(-1) ?? key), problems),
    report: (refusal) => void problems.push(key === '' ? refusal.message : `${key}: ${refusal.message}`),
  };
}

function jsonOf(body: string): Json {
  try {
    return JSON.parse(body === '' ? '{}' : body) as Json;
  } catch {
    throw new UserError(() => t('what is said of the lane is not valid JSON'));
  }
}
