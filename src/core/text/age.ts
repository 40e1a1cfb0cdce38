import { plural } from './counts';

const UNITS = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** An age in milliseconds as `5 days`. */
export function ageWords(age: number): string {
  for (const [unit, size] of UNITS) if (age >= size) return plural(Math.floor(age / size), unit);
  return 'less than a minute';
}

/** The same as `5 days ago`. */
export function ageText(age: number): string {
  return `${ageWords(age)} ago`;
}
