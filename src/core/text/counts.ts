/** A number with its thousands apart, as in `1,200`. */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** A count with its noun, as in `1 interaction` and `1,200 interactions`. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
