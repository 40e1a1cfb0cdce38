import type { RetakeCost } from '../model/run';
import { formatDollars } from './formatDollars';

/** `16 live calls, about $0.03`. */
export function formatRetakeCost({ calls, dollars }: RetakeCost): string {
  const counted = `${calls} live call${calls === 1 ? '' : 's'}`;
  if (dollars === undefined) return counted;
  const told = formatDollars(dollars);
  return told.startsWith('<') ? `${counted}, less than ${told.slice(1)}` : `${counted}, about ${told}`;
}
