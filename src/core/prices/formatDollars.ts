/** The smallest amount that is shown as a number, in US dollars. */
const SMALLEST = 0.0001;

/** An amount as people read it: `$1,204.50`, `$0.42`, `$0.013`, `$0.0006`, `<$0.0001`. */
export function formatDollars(dollars: number): string {
  if (dollars === 0) return '$0';
  if (dollars < SMALLEST) return `<$${SMALLEST}`;
  const digits = dollars >= 0.1 ? 2 : dollars >= 0.01 ? 3 : 4;
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}

/** An amount to three significant digits, however small, for where the exact one is asked for: `$0.0000072`. */
export function formatExactDollars(dollars: number): string {
  const rounded = Number(dollars.toPrecision(3));
  return `$${rounded.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 12 })}`;
}
