import { maskRefusal, parseMask } from '../../match/masks';
import { MATCH_MODES, ON_DRIFT, type OnDrift, type ReplayRules, type ReplaySpec } from '../../model/case';
import { count, flag, list, own, table, text, type Value } from '../../schema/schema';
import { message, t } from '../../text/l10n';

/** How requests are matched: in `[llm.replay]` of a case, and in `[replay]` and `[proxy]` of `tapedeck.toml`. */
export const MATCHING = {
  match: text(
    message(
      "What counts as recorded: the next recording of the endpoint (the default), any equal one, any whose content the request has, the one with the format's key, or what the tape's own recorder would serve.",
    ),
    { enum: MATCH_MODES, refusal: message('unknown match mode: {0}') },
  ),
  mask: list(
    text(
      message(
        'What may differ in a request: a preset such as `uuid`, an order such as `tool-order`, a path such as /messages/0/content, or a pattern such as `pattern:note_[0-9a-f]+`.',
      ),
      {
        names: 'mask',
        check: (mask) => (parseMask(mask) === undefined ? maskRefusal(mask) : undefined),
      },
    ),
  ),
  on_drift: text(
    message(
      'What happens when a request is not as recorded: it fails, or it is served the nearest recording and reported.',
    ),
    { enum: ON_DRIFT, refusal: message('unknown value of on_drift: {0}'), otherwise: 'fail' },
  ),
};

/** `[llm.replay]` of a case. */
export const REPLAY = own(
  table(message('How requests are matched with recordings.'), {
    ...MATCHING,
    on_miss: own(
      text(message('What a recording does with a request that is not on the tape. A replay fails.'), {
        enum: ['fail', 'record', 'passthrough'],
        refusal: message('unknown value of on_miss: {0}'),
        default: 'fail',
      }),
    ),
    fail_on_unused: flag(message('Fail if the agent did not use all recordings of the tape.'), { default: false }),
    repeat: flag(message('Serve the last recording of a request again when all have been used.'), { default: false }),
    max_age_days: count(message('The number of days after which a recording expires.'), 1),
    fail_on_expired: flag(message('Fail if an expired recording was served.'), { default: false }),
  }),
);

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

export function replaySpec(replay: Value<typeof REPLAY>): ReplaySpec {
  return {
    ...replayRules(replay),
    onMiss: replay.on_miss,
    failOnUnused: replay.fail_on_unused,
    repeat: replay.repeat,
    maxAgeDays: replay.max_age_days,
    failOnExpired: replay.fail_on_expired,
  };
}

/** `match`, `mask` and `on_drift`, of a case or of `tapedeck.toml`. */
export function replayRules({ match, mask = [], on_drift: onDrift }: Matching = {}): ReplayRules {
  return {
    ...(match && { match }),
    ...(onDrift && { onDrift }),
    masks: mask.flatMap((text) => parseMask(text) ?? []),
  };
}

type Matching = { readonly [K in keyof typeof MATCHING]?: Value<(typeof MATCHING)[K]> | undefined };

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
