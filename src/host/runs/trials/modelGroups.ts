import { formatDollars } from '../../../core/prices/formatDollars';
import type { TokenPrices } from '../../../core/prices/priceTable';
import { t } from '../../../core/text/l10n';

/** Models that are offered under one heading. */
export interface ModelGroup {
  readonly label: string;
  readonly models: readonly OfferedModel[];
}

export interface OfferedModel {
  readonly label: string;
  readonly description?: string;
  readonly picked?: boolean;
}

/** Each model once, in the first group that has it, with the details from any group. Empty groups are left out. */
export function distinctModels(groups: readonly ModelGroup[]): readonly ModelGroup[] {
  const seen = new Set<string>();
  const said = new Map(groups.flatMap(({ models }) => models.flatMap(saidOf)));
  const own = groups.map(({ label, models }) => ({
    label,
    models: models.flatMap((one) => {
      if (seen.has(one.label)) return [];
      seen.add(one.label);
      const description = said.get(one.label);
      return [{ ...one, ...(description !== undefined && { description }) }];
    }),
  }));
  return own.filter(({ models }) => models.length > 0);
}

export function priceText({ input, output }: TokenPrices): string {
  return t('{0} in, {1} out, per million tokens', formatDollars(input), formatDollars(output));
}

function saidOf({ label, description }: OfferedModel): readonly (readonly [string, string])[] {
  return description === undefined ? [] : [[label, description]];
}
