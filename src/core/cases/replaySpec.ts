import { PRESETS } from '../match/maskPresets';
import { type Mask, parseMask } from '../match/masks';
import { MATCH_MODES, type MatchMode } from '../match/matchRules';
import type { Fields } from './fields';

/** What becomes of a request that the tape has no answer to. */
export type OnMiss = 'fail' | 'record' | 'passthrough';

const ON_MISS: readonly OnMiss[] = ['fail', 'record', 'passthrough'];

/** `[llm.replay]`: how requests find their recordings. */
export interface ReplaySpec {
  readonly match?: MatchMode;
  readonly masks: readonly Mask[];
  readonly onMiss: OnMiss;
  /** A recording that nobody asked for is a failure. */
  readonly failOnUnused: boolean;
  /** When every recording of a request has been served, the last of them is served again. */
  readonly repeat: boolean;
  /** Recordings that are older than this many days are expired. */
  readonly maxAgeDays?: number;
  /** To be served an expired recording is a failure. */
  readonly failOnExpired: boolean;
}

export const DEFAULT_REPLAY: ReplaySpec = {
  masks: [],
  onMiss: 'fail',
  failOnUnused: false,
  repeat: false,
  failOnExpired: false,
};

export function readReplaySpec(replay: Fields | undefined): ReplaySpec {
  if (replay === undefined) return DEFAULT_REPLAY;
  const match = replay.has('match') ? replay.requiredChoice('match', MATCH_MODES, 'unknown way to match') : undefined;
  const onMiss = replay.has('on_miss')
    ? replay.requiredChoice('on_miss', ON_MISS, 'unknown answer to a miss')
    : undefined;
  const maxAgeDays = replay.count('max_age_days', 1);
  return {
    ...(match && { match }),
    masks: replay.texts('mask').flatMap((text) => readMask(text, replay)),
    onMiss: onMiss ?? 'fail',
    failOnUnused: replay.flag('fail_on_unused') ?? false,
    repeat: replay.flag('repeat') ?? false,
    ...(maxAgeDays === undefined ? {} : { maxAgeDays }),
    failOnExpired: replay.flag('fail_on_expired') ?? false,
  };
}

function readMask(text: string, replay: Fields): readonly Mask[] {
  const mask = parseMask(text);
  if (mask !== undefined) return [mask];
  const presets = PRESETS.map(({ name }) => name).join(', ');
  replay.report(`unknown mask: ${text}`, `Use one of ${presets}, or a path such as "/messages/0/content".`, 'mask');
  return [];
}
