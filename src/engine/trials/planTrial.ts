import type { TrialPlan } from '../../contracts/engine/trials';
import type { Interaction } from '../../core/model/interaction';
import type { RetakeCost } from '../../core/model/run';
import { retakeCost } from '../../core/prices/retakeCost';
import { sumCosts } from '../../core/prices/retakeCostSums';
import { plural } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { loadTapeIfWhole, type OpenedTrial } from './openTrial';
import { readKept } from './readSample';
import type { TrialPlace } from './trialCases';

/** What a trial would record, and about what that costs. Estimated from the tapes, although another model may take other turns. */
export async function planTrial({ root, models, places, cases, config }: OpenedTrial): Promise<TrialPlan> {
  const missing: TrialPlace[] = [];
  for (const place of places) if ((await readKept(root, place)) === undefined) missing.push(place);
  const tapes = new Map<string, readonly Interaction[] | undefined>();
  for (const { tapePath } of new Set(missing.map(({ recording }) => recording)))
    tapes.set(tapePath, (await loadTapeIfWhole(tapePath))?.interactions);
  const costOf = ({ recording: { tapePath, inputs, sampled }, model }: TrialPlace): readonly RetakeCost[] => {
    const interactions = tapes.get(tapePath);
    if (interactions === undefined) return [];
    const provider = { kind: inputs.provider?.kind ?? 'open_ai_compatible', model };
    return [
      retakeCost(interactions.slice(0, Math.ceil(interactions.length / sampled)), { provider, prices: config.prices }),
    ];
  };
  const unknown = missing.filter(({ recording }) => tapes.get(recording.tapePath) === undefined);
  const withoutTape = new Set(unknown.map(({ trialCase }) => trialCase));
  return {
    samples: places.length,
    kept: places.length - missing.length,
    perModel: models.map((model) => {
      const own = missing.filter((place) => place.model === model);
      return { model, samples: own.length, ...sumCosts(own.flatMap(costOf)) };
    }),
    notices: [
      ...cases.flatMap(({ name, refusal }) =>
        refusal === undefined ? [] : [t('{0} is left out: {1}.', name, refusal)],
      ),
      ...(withoutTape.size > 0
        ? [t('{0} without a tape: not in the estimate.', plural(withoutTape.size, 'case'))]
        : []),
    ],
  };
}
