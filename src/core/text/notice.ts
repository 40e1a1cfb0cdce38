import { CUT, cut, cutWords, filled, insteadOfWords, t } from './l10n';

/** A message for people, which is made words where it is shown: its English text, and its values. */
interface Notice {
  readonly id: string;
  readonly values: readonly Said[];
}

/** What a text says: a notice, a text of nobody's language, such as what a program wrote, or several in a row. */
export type Said = string | Notice | readonly Said[];

/** A text, or what makes its words in the current language. */
export type Words = string | (() => string);

/** The words in the language of the user. Only notices have another one. */
export function says(said: Said): string {
  return render(said, t, cut);
}

/** The words for other programs. */
export function english(said: Said): string {
  return render(said, filled, cutWords);
}

function render(said: Said, make: typeof t, shorten: typeof cut): string {
  if (typeof said === 'string') return said;
  if (!('id' in said)) return said.map((part) => render(part, make, shorten)).join('');
  const values = said.values.map((value) => render(value, make, shorten));
  return said.id === CUT ? shorten(values[0] ?? '', Number(values[1])) : make(said.id, ...values);
}

/** The notice of an English text that is stored beside it. One that says something else, as with a secret taken out of it, is none. */
export function noticeFor(text: string, stored: unknown): Said | undefined {
  return typeof stored !== 'string' && isSaid(stored) && english(stored) === text ? stored : undefined;
}

function isSaid(value: unknown): value is Said {
  if (typeof value === 'string') return true;
  if (Array.isArray(value)) return value.every(isSaid);
  if (typeof value !== 'object' || value === null || !('id' in value) || !('values' in value)) return false;
  return typeof value.id === 'string' && Array.isArray(value.values) && value.values.every(isSaid);
}

/** Words in the current language. */
export function inWords(words: Words): string {
  return typeof words === 'string' ? words : words();
}

/** What words say. A text that was made before says itself, in whatever language it was made. */
export function noticeOf(words: Words): Said {
  if (typeof words === 'string') return words;
  const { made, saidIn } = noticesIn(words);
  return saidIn(made);
}

/** What is stored beside the text of words; undefined where nothing is to be translated. */
export function noticeBeside(words: Words): Said | undefined {
  return noticeFor(inWords(words), noticeOf(words));
}

/**
 * What is made of messages, with marks in place of their words, and what a text in it says. Nothing that a program wrote can
 * be taken for a mark, as each call has its own.
 */
export function noticesIn<T>(make: () => T): { readonly made: T; saidIn(text: string): Said } {
  const mark = `\uE000${Math.random().toString().slice(2)}\uE001`;
  const notices: Notice[] = [];
  const known = new Map<string, number>();
  const saidIn = (text: string): Said => {
    const [first = '', ...marked] = text.split(mark);
    const parts = marked.flatMap((part): readonly Said[] => {
      const end = part.indexOf('\uE001');
      return [notices[Number(part.slice(0, end))] ?? '', part.slice(end + 1)];
    });
    const [only = '', ...others] = [first, ...parts].filter((part) => part !== '');
    return others.length === 0 ? only : [only, ...others];
  };
  const keep = (id: string, values: readonly (string | number)[]): string => {
    const notice = { id, values: values.map((value) => saidIn(String(value))) };
    const key = JSON.stringify(notice);
    const index = known.get(key) ?? notices.push(notice) - 1;
    known.set(key, index);
    return `${mark}${index}\uE001`;
  };
  return { made: insteadOfWords(keep, make), saidIn };
}
