import type { RetakeCost } from '../model/run';

/** `16 live calls, about $0.03`. */
export function formatRetakeCost({ calls, dollars }: RetakeCost): string {
  const counted = `${calls} live call${calls === 1 ? '' : 's'}`;
  if (dollars === undefined) return counted;
  return `${counted}, about $${dollars < 0.01 ? dollars.toPrecision(1) : dollars.toFixed(2)}`;
}
