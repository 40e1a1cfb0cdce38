import type { Trial, TrialCell, TrialSample } from '../../../core/model/trial';
import { formatDollars } from '../../../core/prices/formatDollars';
import { formatRetakeCost } from '../../../core/prices/formatRetakeCost';
import { PRICES_DATE } from '../../../core/prices/pricesDate';
import { plural } from '../../../core/text/counts';
import { chooseSamples } from '../../../core/trials/chooseSample';
import type { TrialPlan } from '../../../protocol/trials';

/** What recording the rest of a trial takes, model by model. */
export function planLines({ samples, kept, perModel }: TrialPlan): readonly string[] {
  const missing = perModel.filter((one) => one.samples > 0);
  return [
    ...missing.map((one) => {
      const cost = one.calls === 0 ? 'whose cost is not known' : formatRetakeCost(one);
      return `${one.model}: ${plural(one.samples, 'sample')}, ${cost}.`;
    }),
    ...(missing.some(({ dollars }) => dollars !== undefined) ? [`Prices are list prices of ${PRICES_DATE}.`] : []),
    ...(kept > 0 ? [`${kept} of ${plural(samples, 'sample')} are kept from before.`] : []),
  ];
}

/** What recording samples again takes: those that ended in an error, or all, with what they cost before. */
export function againLines({ models, cells }: Trial, again: 'all' | 'errors'): readonly string[] {
  return models.flatMap((model) => {
    const samples = cells.filter((cell) => cell.model === model).flatMap((cell) => cell.samples);
    const own = again === 'all' ? samples : samples.filter(({ verdict }) => verdict === 'error');
    if (own.length === 0) return [];
    if (again === 'errors') return [`${model}: ${plural(own.length, 'sample')} that ended in an error.`];
    const dollars = own.map((sample) => sample.dollars);
    const sum = dollars.reduce<number>((total, one) => total + (one ?? Number.NaN), 0);
    return [
      `${model}: ${plural(own.length, 'sample')}, ${Number.isNaN(sum) ? 'whose price is not known' : `which cost ${formatDollars(sum)} before`}.`,
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
      samples === undefined ? [] : [`${one.tapePath ?? one.name} will be replaced by ${whichSamples(samples, cell)}.`],
    ),
    left: chosen.flatMap(({ one, cell, samples }) => {
      if (samples !== undefined) return [];
      if (one.refusal !== undefined) return [`${one.name}: ${one.refusal}.`];
      if (cell.samples.length === 0) return [`${one.name}: it is not recorded.`];
      return [`${one.name}: ${one.sampled === undefined ? 'no sample passed' : 'not enough samples passed'}.`];
    }),
  };
}

function whichSamples([first, ...others]: readonly TrialSample[], { samples }: TrialCell): string {
  if (others.length > 0) return `samples ${[first, ...others].map((one) => one?.sample).join(', ')} together`;
  return `${samples.length === 1 ? 'the sample' : `sample ${first?.sample} of ${samples.length}`}, which passed`;
}
