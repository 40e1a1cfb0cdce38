import { listedModels, maskOffers, modelOffers } from '../cases/toml/sharedOffers';
import { formats } from '../tapes/registry';
import {
  completeToml,
  describeKey,
  type KeyDescription,
  type Offer,
  type Offers,
  type TomlCompletion,
} from '../toml/schemaLanguage';
import { CONFIG } from './configSchema';

/** The completions at `offset` of a `tapedeck.toml`. */
export function completeConfig(text: string, offset: number): readonly TomlCompletion[] {
  return completeToml(CONFIG, text, offset, OFFERS);
}

/** Describes the key or table of a `tapedeck.toml` at `offset`; undefined if there is no known one. */
export function describeConfigKey(text: string, offset: number): KeyDescription | undefined {
  return describeKey(CONFIG, text, offset);
}

const OFFERS: Offers = {
  values(path, scan, names) {
    switch (names) {
      case 'model':
        return modelOffers(scan, path);
      case 'mask':
        return maskOffers();
      case 'format':
        return RECORDABLE;
      default:
        return [];
    }
  },
  keys: (path) => (path.join('.') === 'prices' ? PRICED_MODELS() : []),
};

/** The formats in which a user's own agents can be recorded. */
const RECORDABLE: readonly Offer[] = formats.flatMap(({ id, label, serialise }) =>
  serialise === undefined ? [] : [{ text: id, about: label }],
);

const PRICED_MODELS = (): readonly Offer[] =>
  listedModels().map((model) => ({ ...model, value: '{ input = $1, output = $2 }' }));
