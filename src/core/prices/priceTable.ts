/** Prices in US dollars per million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Input read from the provider's cache; the same as `input` if absent. */
  readonly cachedInput?: number;
  /** Input written to the provider's cache; the same as `input` if absent. */
  readonly cacheWrite?: number;
  /** The same where it is kept for an hour; the same as `cacheWrite` if absent. */
  readonly cacheWrite1h?: number;
  /** The same as `output` if absent. */
  readonly reasoning?: number;
  /** A thousand requests, in addition to their tokens. */
  readonly requests?: number;
}

export interface ModelPrice extends TokenPrices {
  /** The prices of a request with more input tokens than `above`, for all of its tokens. */
  readonly longContext?: TokenPrices & { readonly above: number };
}

/** Prices by model, under the provider's name without the date of a version. */
export type PriceTable = Readonly<Record<string, ModelPrice>>;
