import { MASK_PRESETS } from '../../match/maskPresets';
import { MASK_ORDERS } from '../../match/masks';
import { readListPrices } from '../../prices/cost';
import type { Path } from '../../schema/schema';
import { t } from '../../text/l10n';
import type { TomlScan } from '../../toml/scanToml';
import type { Offer } from '../../toml/schemaLanguage';

/** The presets and orders that a mask may name. */
export function maskOffers(): readonly Offer[] {
  return [...MASK_PRESETS, ...MASK_ORDERS].map(({ name, description }) => ({
    text: name,
    about: t('Ignores {0}.', t(description)),
  }));
}

/** The models of the price list, for the model at `path` of a provider, unless that runs models of its own. */
export function modelOffers({ entries }: TomlScan, path: Path): readonly Offer[] {
  const kindPath = [...path.slice(0, -1), 'kind'].join('.');
  const kind = entries.find((entry) => entry.path.join('.') === kindPath)?.text;
  return kind === undefined || kind === 'open_ai_compatible' ? listedModels() : [];
}

/** The models of the price list, with their prices. */
export function listedModels(): readonly Offer[] {
  return [...readListPrices()].map(([text, { input, output }]) => ({
    text,
    detail: t('{0} in, {1} out per million tokens', `$${input}`, `$${output}`),
  }));
}
