import type { TrialPlan } from '../../../contracts/engine/trials';
import type { Trial, TrialCell, TrialSample } from '../../../core/model/trial';
import { formatDollars } from '../../../core/prices/formatDollars';
import { formatRetakeCost } from '../../../core/prices/formatRetakeCost';
import { PRICES_DATE } from '../../../core/prices/pricesDate';
import { plural } from '../../../core/text/counts';
import { t } from '../../../core/text/l10n';
import { chooseSamples } from '../../../core/trials/chooseSample';

/** What recording the rest of a trial sends and costs, model by model. */
export function planLines({ samples, kept, perModel }: TrialPlan): readonly string[] {
  const missing = perModel.filter((one) => one.samples > 0);
  return [
    ...missing.map((one) => {
      const cost = one.calls === 0 ? t('whose cost is unknown') : formatRetakeCost(one);
      return `${one.model}: ${plural(one.samples, 'sample')}, ${cost}.`;
    }),
    ...(missing.some(({ dollars }) => dollars !== undefined) ? [t('Prices are list prices of {0}.', PRICES_DATE)] : []),
    ...(kept > 0 ? [t('{0} of {1} were recorded before and are kept.', kept, plural(samples, 'sample'))] : []),
  ];
}

/** What recording samples again sends: those that ended in an error, or all, with what they cost last time. */
export function againLines({ models, cells }: Trial, again: 'all' | 'errors'): readonly string[] {
  return models.flatMap((model) => {
    const samples = cells.filter((cell) => cell.model === model).flatMap((cell) => cell.samples);
    const own = again === 'all' ? samples : samples.filter(({ verdict }) => verdict === 'error');
    if (own.length === 0) return [];
    if (again === 'errors') return [t('{0}: {1} that ended in an error.', model, plural(own.length, 'sample'))];
    const dollars = own.map((sample) => sample.dollars);
    const sum = dollars.reduce<number>((total, one) => total + (one ?? Number.NaN), 0);
    return [
      `${model}: ${plural(own.length, 'sample')}, ${Number.isNaN(sum) ? t('whose price is unknown') : t('which cost {0} last time', formatDollars(sum))}.`,
    ];
  });
}

/** What adopting a model would do with each case: the sample that becomes its tape, or why it keeps its own. */
export interface AdoptionPreview {
  readonly casePaths: readonly string[];
  readonly taken: readonly string[];
  readonly left: readonly string[];
}

export function previewAdoption({ cases, cells }: Trial, model: string): AdoptionPreview {
  const chosen = cells.flatMap((cell) => {
    const one = cases.find(({ casePath }) => casePath === cell.casePath);
    if (cell.model !== model || one === undefined) return [];
    return [{ one, cell, samples: chooseSamples(cell.samples, one.sampled ?? 1, cell.needed) }];
  });
  return {
    casePaths: chosen.flatMap(({ one, samples }) => (samples === undefined ? [] : [one.casePath])),
    taken: chosen.flatMap(({ one, cell, samples }) =>
      samples === undefined
        ? []
        : [t('{0} will be replaced by {1}.', one.tapePath ?? one.name, whichSamples(samples, cell))],
    ),
    left: chosen.flatMap(({ one, cell, samples }) => {
      if (samples !== undefined) return [];
      if (one.refusal !== undefined) return [`${one.name}: ${one.refusal}.`];
      if (cell.samples.length === 0) return [t('{0}: it is not recorded.', one.name)];
      return [`${one.name}: ${one.sampled === undefined ? t('no sample passed') : t('not enough samples passed')}.`];
    }),
  };
}

function whichSamples([first, ...others]: readonly TrialSample[], { samples }: TrialCell): string {
  if (others.length > 0) return t('samples {0} together', [first, ...others].map((one) => one?.sample).join(', '));
  return t(
    '{0}, which passed',
    samples.length === 1 ? t('the sample') : t('sample {0} of {1}', first?.sample ?? '', samples.length),
  );
}
