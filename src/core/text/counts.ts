import { currentTranslation, t } from './l10n';

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
  return new Intl.ListFormat(languageOfLists()).format(names);
}

/** The pseudo-language of tests is unknown to Intl. */
function languageOfLists(): string {
  const { language } = currentTranslation();
  return Intl.ListFormat.supportedLocalesOf(language).length > 0 ? language : 'en';
}
