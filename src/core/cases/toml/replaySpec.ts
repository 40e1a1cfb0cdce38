import { MASK_PRESETS, parseMask } from '../../match/masks';
import {
  MATCH_MODES,
  type Mask,
  ON_DRIFT,
  type OnDrift,
  type OnMiss,
  type ReplayRules,
  type ReplaySpec,
} from '../../model/case';
import { t } from '../../text/l10n';
import type { TableReader } from '../../toml/tableReader';

const ON_MISS: readonly OnMiss[] = ['fail', 'record', 'passthrough'];

export const DEFAULT_REPLAY_SPEC: ReplaySpec = {
  masks: [],
  onMiss: 'fail',
  failOnUnused: false,
  repeat: false,
  failOnExpired: false,
};

/** Why a miss of a replay failed although the case names another way; undefined if it names none. */
export function onMissHint({ onMiss }: ReplaySpec = DEFAULT_REPLAY_SPEC): string | undefined {
  if (onMiss === 'fail') return undefined;
  return t('on_miss = "{0}" of the case counts only when recording: with --record, or Re-record in VS Code.', onMiss);
}

export function readReplaySpec(replay: TableReader | undefined): ReplaySpec {
  if (replay === undefined) return DEFAULT_REPLAY_SPEC;
  const onMiss = replay.has('on_miss')
    ? replay.requiredChoice('on_miss', ON_MISS, t('unknown value of on_miss'))
    : undefined;
  const maxAgeDays = replay.count('max_age_days', 1);
  return {
    ...readReplayRules(replay),
    onMiss: onMiss ?? 'fail',
    failOnUnused: replay.flag('fail_on_unused') ?? false,
    repeat: replay.flag('repeat') ?? false,
    ...(maxAgeDays === undefined ? {} : { maxAgeDays }),
    failOnExpired: replay.flag('fail_on_expired') ?? false,
  };
}

/** Reads `match`, `mask` and `on_drift`, of a case or of `tapedeck.toml`. */
export function readReplayRules(table: TableReader | undefined): ReplayRules {
  if (table === undefined) return NO_RULES;
  const match = table.has('match') ? table.requiredChoice('match', MATCH_MODES, t('unknown match mode')) : undefined;
  const onDrift = table.has('on_drift')
    ? table.requiredChoice('on_drift', ON_DRIFT, t('unknown value of on_drift'))
    : undefined;
  return {
    ...(match && { match }),
    ...(onDrift && { onDrift }),
    masks: table.texts('mask').flatMap((text) => readMask(text, table)),
  };
}

const NO_RULES: ReplayRules = { masks: [] };

/** Rules without a gap, but for `match`: its default depends on who replays, and on the tape. */
export interface JoinedRules extends ReplayRules {
  readonly onDrift: OnDrift;
}

/** The rules that hold, of several that are given from the strongest to the weakest. */
export function joinRules(rules: readonly (ReplayRules | undefined)[]): JoinedRules {
  const given = rules.filter((one) => one !== undefined);
  const match = given.find((one) => one.match !== undefined)?.match;
  return {
    ...(match && { match }),
    onDrift: given.find((one) => one.onDrift !== undefined)?.onDrift ?? 'fail',
    masks: [...new Set(given.flatMap(({ masks }) => masks))],
  };
}

function readMask(text: string, replay: TableReader): readonly Mask[] {
  const mask = parseMask(text);
  if (mask !== undefined) return [mask];
  const presets = MASK_PRESETS.map(({ name }) => name).join(', ');
  replay.report(
    t('unknown mask: {0}', text),
    t('Use one of {0}, or a path such as "/messages/0/content".', presets),
    'mask',
  );
  return [];
}
