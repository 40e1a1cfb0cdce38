import { t } from './l10n';

/** A number with grouped thousands, as in `1,200`. */
export function grouped(count: number): string {
  // The formats of a language take as long to load as half of Node does, which a command line pays for each time.
  return Number.isInteger(count) ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ',') : count.toLocaleString('en');
}

/** A count with its noun in the language of the user, as in `1 interaction` and `1,200 interactions`. */
export function plural(count: number, noun: string): string {
  return counted(count, `{0} ${noun}`, `{0} ${noun}s`);
}

/** One of two messages, whose `{0}` is the count. */
export function counted(count: number, one: string, many: string, ...values: readonly (string | number)[]): string {
  return t(count === 1 ? one : many, grouped(count), ...values);
}

/** A list of names, as in `a, b, and c`. */
export function listed(names: readonly string[]): string {
  const [first = '', second, ...others] = names;
  if (second === undefined) return first;
  if (others.length === 0) return t('{0} and {1}', first, second);
  const before = [second, ...others.slice(0, -1)].reduce((list, name) => `${list}${t(', ')}${name}`, first);
  return t('{0}, and {1}', before, others.at(-1) ?? '');
}
