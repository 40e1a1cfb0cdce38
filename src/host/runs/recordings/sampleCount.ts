import { t } from '../../../core/text/l10n';
/** How often a case is recorded, where it is recorded more than once. */
export const SAMPLE_COUNTS = { min: 1, max: 50 } as const;

/** What is wrong with a typed number; undefined if it is a whole number within the limits. */
export function countProblem(
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): string | undefined {
  const isWithin = /^\d{1,3}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;
  return isWithin ? undefined : t('Enter a whole number from {0} to {1}.', min, max);
}
