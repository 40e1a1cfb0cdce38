import { counted } from './counts';
import { message, t } from './l10n';

const UNITS = [
  [365 * 86_400_000, message('{0} year'), message('{0} years')],
  [30 * 86_400_000, message('{0} month'), message('{0} months')],
  [86_400_000, message('{0} day'), message('{0} days')],
  [3_600_000, message('{0} hour'), message('{0} hours')],
  [60_000, message('{0} minute'), message('{0} minutes')],
] as const;

/** An age in milliseconds as `5 days ago`. */
export function ageText(age: number): string {
  return t('{0} ago', ageWords(age));
}

function ageWords(age: number): string {
  for (const [size, one, many] of UNITS) if (age >= size) return counted(Math.floor(age / size), one, many);
  return t('less than a minute');
}
