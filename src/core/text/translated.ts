import { currentTranslation, type Translation } from './l10n';

/** A message with values, as the texts between them. */
interface Template {
  readonly texts: readonly string[];
  /** Which value follows each text but the last. */
  readonly places: readonly number[];
  readonly translation: string;
}

/** The longest line that may be a message; anything longer is data. */
const LONGEST = 4000;
/** A message with fewer letters of its own, such as `{0} in {1}`, would be found in any text. */
const FEWEST_LETTERS = 7;
/** How deep messages may be nested as values of others. */
const DEEPEST = 4;

/**
 * Translates a text that was stored in English. It is matched against the messages, with any values in their places; a text
 * that is not a message is returned unchanged. If a text has several lines, the first decides whether it is ours.
 */
export function translated(english: string): string {
  const { messages } = currentTranslation();
  if (english === '' || Object.keys(messages).length === 0) return english;
  const whole = inOneLine(english, messages, 0);
  if (whole !== english) return whole;
  const [first = '', ...others] = english.split('\n');
  const begin = inOneLine(first, messages, 0);
  return begin === first ? english : [begin, ...others.map((line) => inOneLine(line, messages, 0))].join('\n');
}

function inOneLine(text: string, messages: Translation['messages'], depth: number): string {
  if (Object.hasOwn(messages, text)) return messages[text] ?? text;
  if (text.length > LONGEST || depth === DEEPEST) return text;
  for (const template of templatesOf(messages)) {
    const values = valuesIn(text, template);
    if (values !== undefined) return filled(template, values, (value) => inOneLine(value, messages, depth + 1));
  }
  return inParts(text, (part) => inOneLine(part, messages, depth + 1));
}

/** Several facts in a row, or something after a colon: `case.toml:3:1: …`, `Output: …`. */
function inParts(text: string, translate: (part: string) => string): string {
  if (text.includes(' · ')) return text.split(' · ').map(translate).join(' · ');
  const colon = text.indexOf(': ');
  return colon === -1 ? text : `${translate(text.slice(0, colon))}: ${translate(text.slice(colon + 2))}`;
}

let known: { readonly messages: Translation['messages']; readonly templates: readonly Template[] } | undefined;

/** The most specific messages come first. */
function templatesOf(messages: Translation['messages']): readonly Template[] {
  if (known?.messages !== messages) {
    const templates = Object.entries(messages).flatMap(
      ([english, translation]) => templateOf(english, translation) ?? [],
    );
    known = { messages, templates: templates.sort((a, b) => lettersOf(b) - lettersOf(a)) };
  }
  return known.templates;
}

function templateOf(english: string, translation: string): Template | undefined {
  const pieces = english.split(/\{(\d+)\}/);
  const texts = pieces.filter((_, index) => index % 2 === 0);
  const places = pieces.filter((_, index) => index % 2 === 1).map(Number);
  const template = { texts, places, translation };
  return places.length > 0 && lettersOf(template) >= FEWEST_LETTERS ? template : undefined;
}

function lettersOf({ texts }: Template): number {
  return texts.join('').replace(/[^a-z`]/gi, '').length;
}

/** The values with which a template is this text, by their numbers. */
function valuesIn(text: string, { texts, places }: Template): ReadonlyMap<number, string> | undefined {
  const [first = '', ...others] = texts;
  const last = others.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return undefined;
  const values = new Map<number, string>();
  let start = first.length;
  for (const [index, following] of others.entries()) {
    const isLast = index === others.length - 1;
    const end = isLast ? text.length - last.length : text.indexOf(following, start);
    if (end < start) return undefined;
    const value = text.slice(start, end);
    const place = places[index] ?? 0;
    if ((values.get(place) ?? value) !== value) return undefined;
    values.set(place, value);
    start = end + following.length;
  }
  return values;
}

/** Values in quotation marks are data. */
function filled(
  { texts, places, translation }: Template,
  values: ReadonlyMap<number, string>,
  translate: (value: string) => string,
) {
  const isQuoted = (number: number): boolean => /[`"'“/]$/.test(texts[places.indexOf(number)] ?? '');
  return translation.replace(/\{(\d+)\}/g, (place, digits) => {
    const value = values.get(Number(digits)) ?? place;
    return isQuoted(Number(digits)) ? value : translate(value);
  });
}
