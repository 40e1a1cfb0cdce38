const MINUS = '\u2212';

/** "+12", "\u22123"; undefined where nothing changed, or one side does not tell. */
export function countDelta(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined || now === before) return undefined;
  return signed(now - before, '');
}

/** "+40%"; undefined where that is less than one in a hundred. */
export function shareDelta(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined || before === 0) return undefined;
  const percent = Math.round((100 * (now - before)) / before);
  return percent === 0 ? undefined : signed(percent, '%');
}

function signed(value: number, unit: string): string {
  return `${value < 0 ? MINUS : '+'}${COUNT.format(Math.abs(value))}${unit}`;
}

const COUNT = new Intl.NumberFormat('en-US');
