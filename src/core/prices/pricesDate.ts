// Written by test/harness/listPrices.mjs.

/** The day of the list prices. */
export const PRICES_DATE = '2026-09-23';
