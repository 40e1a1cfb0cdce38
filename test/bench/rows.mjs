// What the benchmarks find, each row beside its limit and what is asked for. `run.mjs` prints all of them at its end.
import { appendFileSync } from 'node:fs';

/**
 * @typedef {object} Row
 * @property {string} what
 * @property {string} of what it is measured against, in the same run
 * @property {readonly number[]} values of each round: a ratio to that, or with `unit` as it is
 * @property {string} [unit]
 * @property {number} asked
 * @property {'most' | 'least'} [bound] of what is asked for
 */

/** The middle of some numbers. @param {readonly number[]} values */
export function median(values) {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The number below which a part of some numbers are. @param {readonly number[]} values @param {number} part */
function quantile(values, part) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
}

/** @param {Row} row */
export function isMet({ values, asked, bound = 'most' }) {
  return bound === 'most' ? median(values) <= asked : median(values) >= asked;
}

/** @param {Row} row */
export function rowText(row) {
  const { what, of, values, unit = '', asked, bound = 'most' } = row;
  const number = (/** @type {number} */ value) => `${value.toFixed(value >= 100 ? 0 : 2)}${unit && ` ${unit}`}`;
  const [least, most] = values.length < 8 ? [0, 1] : [0.25, 0.75];
  const spread = `${values.length < 8 ? '' : 'quartiles '}${number(quantile(values, least))} to ${number(quantile(values, most))}, ${values.length} rounds`;
  const wanted = `${bound === 'most' ? 'at most' : 'at least'} ${number(asked)}`;
  return `${isMet(row) ? 'met    ' : 'NOT MET'} ${what.padEnd(58)} ${number(median(values)).padStart(9)} of ${of} (${spread}); asked for ${wanted}`;
}

/** Prints a row, and keeps it for the table. @param {Row} row */
export function report(row) {
  console.log(rowText(row));
  const { TAPEDECK_BENCH_ROWS: file } = process.env;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(row)}\n`);
}

/** The ratio of each round. @param {readonly number[]} values @param {readonly number[]} reference */
export function ratios(values, reference) {
  return values.map((value, round) => value / (reference[round] ?? Number.NaN));
}
