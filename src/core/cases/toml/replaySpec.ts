import { MASK_PRESETS, parseMask } from '../../match/masks';
import { MATCH_MODES, type Mask, type OnMiss, type ReplaySpec } from '../../model/case';
import type { TableReader } from '../../toml/tableReader';

const ON_MISS: readonly OnMiss[] = ['fail', 'record', 'passthrough'];

export const DEFAULT_REPLAY_SPEC: ReplaySpec = {
  masks: [],
  onMiss: 'fail',
  failOnUnused: false,
  repeat: false,
  failOnExpired: false,
};

/** Why a miss of a replay failed although the case names another way; undefined where it names none. */
export function onMissHint({ onMiss }: ReplaySpec = DEFAULT_REPLAY_SPEC): string | undefined {
  if (onMiss === 'fail') return undefined;
  return `on_miss = "${onMiss}" of the case counts only when recording: with --record, or Re-record in VS Code.`;
}

export function readReplaySpec(replay: TableReader | undefined): ReplaySpec {
  if (replay === undefined) return DEFAULT_REPLAY_SPEC;
  const match = replay.has('match') ? replay.requiredChoice('match', MATCH_MODES, 'unknown match mode') : undefined;
  const onMiss = replay.has('on_miss')
    ? replay.requiredChoice('on_miss', ON_MISS, 'unknown value of on_miss')
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

function readMask(text: string, replay: TableReader): readonly Mask[] {
  const mask = parseMask(text);
  if (mask !== undefined) return [mask];
  const presets = MASK_PRESETS.map(({ name }) => name).join(', ');
  replay.report(`unknown mask: ${text}`, `Use one of ${presets}, or a path such as "/messages/0/content".`, 'mask');
  return [];
}
