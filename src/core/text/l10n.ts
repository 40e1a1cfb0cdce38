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
export function t(message: string, ...values: readonly (string | number)[]): string {
  const { messages } = current();
  const text = Object.hasOwn(messages, message) ? (messages[message] ?? message) : message;
  return values.length === 0
    ? text
    : text.replace(/\{(\d+)\}/g, (place, index) => String(values[Number(index)] ?? place));
}

/** Marks a constant that is passed to `t` or `translated` later, when it is shown. */
export function message<T extends string>(text: T): T {
  return text;
}
