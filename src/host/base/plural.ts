/** A count with its noun, as in `1 interaction` and `1,200 interactions`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
