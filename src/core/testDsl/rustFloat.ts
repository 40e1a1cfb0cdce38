/** A float as Rust's serde_json writes it: shortest, with a decimal point or an exponent. */
export function rustFloat(value: number): string {
  if (value < 0 || Object.is(value, -0)) return `-${rustFloat(-value)}`;
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const digits = mantissa.replace('.', '');
  /** The number of digits before the decimal point. */
  const whole = Number(exponent) + 1;
  if (digits.length <= whole && whole <= 16) return `${digits.padEnd(whole, '0')}.0`;
  if (0 < whole && whole <= 16) return `${digits.slice(0, whole)}.${digits.slice(whole)}`;
  if (-5 < whole && whole <= 0) return `0.${'0'.repeat(-whole)}${digits}`;
  return `${mantissa}e${whole > 0 ? '+' : ''}${whole - 1}`;
}
