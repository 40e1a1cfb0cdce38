/** A language other than English, and its messages by the English ones, as in `l10n/bundle.l10n.LANGUAGE.json`. */
export interface Translation {
  readonly language: string;
  readonly messages: Readonly<Record<string, string>>;
}

export const ENGLISH: Translation = { language: 'en', messages: {} };

let current = (): Translation => ENGLISH;

/** Sets the language of this process, thread, or page: once, before anything is shown. */
export function useTranslation(translation: Translation): void {
  current = () => translation;
}

/** Sets a language that depends on the current work: text that is kept in files is made in English. */
export function useTranslationOf(find: () => Translation): void {
  current = find;
}

/** The language of this process, for the threads and pages that it starts. */
export function currentTranslation(): Translation {
  return current();
}

/**
 * A message in the language of the user, with values in place of `{0}`, `{1}`; in English if it is not translated.
 *
 * Call it when the message is shown, not while modules load: the language is not known then. Pass the English text as one
 * literal, so that `npm run l10n` finds it.
 */
export function t(message: string, ...values: Values): string {
  if (instead !== undefined) return instead(message, values);
  const { messages } = current();
  return filled(Object.hasOwn(messages, message) ? (messages[message] ?? message) : message, ...values);
}

type Values = readonly (string | number)[];

/** A text with values in place of `{0}`, `{1}`. */
export function filled(text: string, ...values: Values): string {
  return values.length === 0
    ? text
    : text.replace(/\{(\d+)\}/g, (place, index) => String(values[Number(index)] ?? place));
}

/** Stands for a text that is cut after so many characters, which is not as many in each language. */
export const CUT = '\u2026';

/** The first characters of a text with messages in it. */
export function cut(text: string, length: number): string {
  return instead === undefined ? cutWords(text, length) : instead(CUT, [text, length]);
}

export function cutWords(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

let instead: ((message: string, values: Values) => string) | undefined;

/** What `t` returns in place of words now; what is cached of one must not be taken for another. */
export function currentInstead(): object | undefined {
  return instead;
}

/** Has `t` return something else than the words while `make` runs, for `noticesIn`. */
export function insteadOfWords<T>(keep: NonNullable<typeof instead>, make: () => T): T {
  const outer = instead;
  instead = keep;
  try {
    return make();
  } finally {
    instead = outer;
  }
}

/** Marks a constant that is passed to `t` later, when it is shown. */
export function message<T extends string>(text: T): T {
  return text;
}
