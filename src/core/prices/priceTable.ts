/** Prices in US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Input read from the provider's cache; the same as `input` if absent. */
  readonly cachedInput?: number;
  /** Input written to the provider's cache; the same as `input` if absent. */
  readonly cacheWrite?: number;
}

/** Prices by model, under the provider's name without the date of a version. */
export type PriceTable = Readonly<Record<string, ModelPrice>>;
