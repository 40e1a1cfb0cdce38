import { message, t } from '../text/l10n';
import type { FoundLiterals, LiteralMatch } from '../text/literalFinder';
import { composePattern } from '../text/pattern';
import type { Span } from '../text/source';
import { markupValueAt } from './markupValue';
import { entropy, isDrawnUuid, isOrdinaryValue, isPlaceholder, isRandom, mixesCharacterClasses } from './randomness';
import { MASK, NAMED_SECRET, type SecretHit } from './secretHit';
import { type NameKind, nameKind, parameterKind, snakeCase } from './secretNames';

const MEMBER_RANK = 0;
const PARAMETER_RANK = 1;
const NAMED_RANK = 900;
const MIN_NAMED_ENTROPY = 3.4;
/** Hexadecimal digits have four bits at most, and less where they are few. */
const MIN_LONG_ENTROPY = 3;
const LONG_VALUE = 32;

const WHAT = message('a secret, judging by its name and randomness');
const WHAT_NAMED = message('a secret, judging by its name');

const LONGEST_NAME = 64;
const SHORTEST_RANDOM = 16;

/**
 * Finds secrets by the names before them: members of JSON (also in strings), YAML and code, headers written as
 * `{name, value}`, elements, attributes and fields of XML and HTML, options of commands, parameters of URLs, and fields of forms. `found` is where the last words of such names were found, and the
 * beginnings of parameters and fields.
 */
export function findNamedSecrets(text: string, found: FoundLiterals<'names' | 'pairs' | 'forms'>): SecretHit[] {
  const hits: SecretHit[] = [];
  const cookies = new CookieSearch(text);
  let after = 0;
  for (const { index, literal } of found.names) {
    const named = nameAt(text, index, index + literal.length);
    if (named === undefined || named.start < after) continue;
    const kind = nameKind(named.name);
    if (kind === undefined) continue;
    if (/cookies?$/i.test(named.name)) hits.push(...cookies.after(named.end));
    const hit =
      (kind === 'secret' ? wholeValueAt(text, named) : undefined) ??
      randomValueAt(text, named, kind) ??
      certainValueAt(text, named, kind);
    if (hit === undefined) continue;
    hits.push(hit);
    after = hit.end;
  }
  const parameters = findParameters(text);
  const continued = new Set(parameters.flatMap(({ isContinued, start }) => (isContinued ? [start] : [])));
  const others = findPairedParameters(text, found.pairs);
  if (found.forms.length > 0) others.push(...findFormParts(text));
  return [...hits.filter(({ start }) => !continued.has(start)), ...parameters, ...others];
}

interface Name {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const NAME_CHARACTER = /[A-Za-z0-9_.-]/;
const WORDS_BEFORE = /"((?:[A-Za-z]{2,16} ){1,2})$/;
const NUMBER_AFTER = /(?:_?\d{1,3})?(?![A-Za-z0-9_-])/y;

/** The name whose last word ends at `wordEnd`, if a name ends there. */
function nameAt(text: string, wordStart: number, wordEnd: number): Name | undefined {
  NUMBER_AFTER.lastIndex = wordEnd;
  const number = NUMBER_AFTER.exec(text);
  if (number === null) return undefined;
  const end = wordEnd + number[0].length;
  let start = wordStart;
  while (start > 0 && end - start < LONGEST_NAME && NAME_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  // The letter of an escape such as `\n` is not part of the name.
  if (text.charAt(start - 1) === '\\' && /[nrtbf]/.test(text.charAt(start)) && start < wordStart) start += 1;
  // The name of a member may be of several words, as in `"Client Secret"`.
  if (text.charAt(start - 1) === ' ')
    start -= WORDS_BEFORE.exec(text.slice(Math.max(0, start - 40), start))?.[1]?.length ?? 0;
  return { name: text.slice(start, end), start, end };
}

/** From a name to the value of a JSON member, or of one that is described beside it, of the same level of escapes as the quote after the name. */
const TO_STRING =
  /(\\*)"\s{0,4}:\s{0,60}(?:\[\s{0,60}|\{\s{0,60}(?:\1"\w{1,20}\1"\s{0,4}:\s{0,4}(?:true|false|\1"\w{0,20}\1")\s{0,4},\s{0,60}){0,3}\1"value\1"\s{0,4}:\s{0,4})?\1"/y;
/** From the name to the value of a header written as `{name, value}`. */
const TO_PAIRED_STRING = /(\\*)"\s{0,4},\s{0,60}\1"[vV]alue\1"\s{0,4}:\s{0,60}\1"/y;
/** From a name in capitals, as in a file of variables, and its value. */
const VARIABLE = /=(\\*["'])?(?<value>[^\s"'\\;&<>{}$*]{6,512})/y;

/** Nothing, or the version of a package, whose name may be any. */
const VERSION = /^(?:[~^<>=v ]{0,3}\d{1,4}\.\d{1,4}(?:\.\d{1,4})?(?:-[\w.]{1,20})?)?$/;

/** The value of a member or variable with a name of which every value is a secret. */
function wholeValueAt(text: string, { name, start, end }: Name): SecretHit | undefined {
  for (const between of [TO_STRING, TO_PAIRED_STRING]) {
    between.lastIndex = end;
    const match = between.exec(text);
    if (match === null || (between === TO_STRING && text.charAt(start - 1) !== '"')) continue;
    const valueStart = end + match[0].length;
    const valueEnd = closingQuote(text, valueStart, match[1]?.length ?? 0);
    if (valueEnd === undefined || VERSION.test(text.slice(valueStart, valueEnd))) return undefined;
    return wholeValue(text, name, valueStart, valueEnd, MEMBER_RANK);
  }
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) return undefined;
  VARIABLE.lastIndex = end;
  const variable = VARIABLE.exec(text);
  const value = variable?.groups?.value;
  if (value === undefined || isPlaceholder(value) || isOrdinaryVariable(value)) return undefined;
  const valueEnd = end + (variable?.[0].length ?? 0);
  return wholeValue(text, name, valueEnd - value.length, valueEnd, PARAMETER_RANK);
}

/** Whether a value of a variable is a reference, a path or a call: `OPENAI_API_KEY=os.environ`. */
function isOrdinaryVariable(value: string): boolean {
  return /^[./~]|[()]/.test(value) || /^(?:[a-z]+[._])+[a-z_]+$/i.test(value);
}

function wholeValue(text: string, name: string, start: number, end: number, rank: number): SecretHit {
  const value = text.slice(start, end);
  const isDoubtful = value.length < 6 || /\s/.test(value) || isPlaceholder(value) || !isPassword(name, value);
  return {
    rule: NAMED_SECRET,
    what: WHAT_NAMED,
    excerpt: t('{0}: … ({1} characters)', name, value.length),
    start,
    end,
    placeholder: MASK,
    rank,
    ...(isDoubtful && { isDoubtful }),
  };
}

/** Whether a value is reported: a password may be a word, while keys are random. */
function isPassword(name: string, value: string): boolean {
  if (isDrawnUuid(value)) return true;
  if (isOrdinaryValue(value)) return /passw|passphrase/i.test(name) && /^[A-Za-z]{8,}$/.test(value);
  return /passw|passphrase/i.test(name) || (value.length >= 12 && mixesCharacterClasses(value) && entropy(value) >= 3);
}

/** From the name of an option to its value, also in a list of arguments. */
const OPTION =
  /(?:=|[ \t]{1,4}|\\{0,8}["']\s{0,4},\s{0,60}\\{0,8}["'])(?:\\{0,8}["'])?(?<value>[^\s"'\\;&<>{}$*`|()]{6,512})/y;

/** The value that an option of a command, a line, or a tag gives to such a name. Words that may be shown to people do not count. */
function certainValueAt(text: string, named: Name, kind: NameKind): SecretHit | undefined {
  const value = optionValueAt(text, named) ?? chosenPasswordAt(text, named) ?? markupValueAt(text, named);
  if (value === undefined) return undefined;
  const { start, end } = value;
  const { isDoubtful, ...hit } = wholeValue(text, named.name.replace(/^-+/, ''), start, end, NAMED_RANK);
  const isCertain = kind === 'secret' ? !isDoubtful : isNamedRandom(text.slice(start, end));
  return isCertain ? hit : undefined;
}

function optionValueAt(text: string, { name, end }: Name): Span | undefined {
  if (!name.startsWith('--')) return undefined;
  OPTION.lastIndex = end;
  const value = OPTION.exec(text)?.groups?.value;
  // The next word of a sentence is no value.
  if (value === undefined || /^-/.test(value) || isWord(value) || isOrdinaryVariable(value)) return undefined;
  return { start: OPTION.lastIndex - value.length, end: OPTION.lastIndex };
}

function isWord(value: string): boolean {
  return /^[A-Za-z]+$/.test(value) && !isRandom(value);
}

/** A quote, possibly escaped: tapes contain JSON within strings. */
const QUOTE = `(?:\\\\{0,8}["'\`])?`;
/** What stands before a value: the item of a list, a block of YAML, a type of Rust or Python that holds it, the length of PHP. */
const BEFORE_VALUE =
  '(?:-\\s{1,4}|\\[\\s{0,60}|[|>][-+]?\\d?(?:\\s|\\\\{1,4}[nr]){1,60}|(?:Some|Ok|Just|SecretStr|Secret)\\()?';
/** Also in code that assigns and calls, in the cells of a table, and after a key in brackets. */
const TO_VALUE = `${QUOTE}(?:\\]?\\s{0,4}(?:=>|[:=(|])\\s{0,40}${BEFORE_VALUE}|;s:\\d{1,4}:)${QUOTE}`;
const PAIR = `${QUOTE}\\s{0,4},?\\s{0,60}${QUOTE}[vV]alue${QUOTE}\\s{0,4}:\\s{0,40}${QUOTE}`;
/** From the first to the second string of a list or a call, as in `["x-api-key", "…"]`. */
const LISTED = `\\\\{0,8}["']\\s{0,4},\\s{0,60}b?\\\\{0,8}["']`;
/** From a variable to its value in commands that set it. */
const SPACED = `[ \\t]{1,4}${QUOTE}`;
/** A value is no name of a function that is called. */
const RANDOM = composePattern(
  `(?:${PAIR}|${TO_VALUE}|${LISTED}|${SPACED})(?:(?:Bearer|Basic|Token|ApiKey|Key)\\s{1,3})?(?<value>[A-Za-z0-9+/_.~-]{16,512}={0,2})(?![A-Za-z0-9+/_=(-])`,
  'iy',
);

const TO_CHOSEN = composePattern(`${TO_VALUE}(?<value>[^\\s"'\`<>{}()[\\],;|$\\\\]{8,64})(?=["'\`\\s,;)\\\\]|$)`, 'y');

/** A password as people choose it who are told to use letters, digits, and signs, which is no part of a program. */
function chosenPasswordAt(text: string, { name, end }: Name): Span | undefined {
  if (!/passw|passphrase/i.test(name)) return undefined;
  TO_CHOSEN.lastIndex = end;
  const value = TO_CHOSEN.exec(text)?.groups?.value;
  // In a form whose spaces are plus signs, the next field follows.
  if (value === undefined || /^\+|&\w+=/.test(value)) return undefined;
  if (![/[a-z]/, /[A-Z]/, /\d/, /[!@#%^&*?~]/].every((kind) => kind.test(value))) return undefined;
  return { start: TO_CHOSEN.lastIndex - value.length, end: TO_CHOSEN.lastIndex };
}

/** A random value after such a name. Words do not count, since tapes are full of them. */
function randomValueAt(text: string, { name, start, end }: Name, kind: NameKind): SecretHit | undefined {
  RANDOM.lastIndex = end;
  const match = RANDOM.exec(text);
  const value = match?.groups?.value;
  if (match === null || value === undefined || !isNamedRandom(value)) return undefined;
  const valueEnd = end + match[0].length;
  if (isListed(match[0]) && !isListedPair(text, start, valueEnd)) return undefined;
  // What is not assigned may be the next word of a sentence, or an argument; a name such as `token` may be that of a variable.
  const isAssigned = /^[\\"'`\]]*\s*(?:[:=](?!>)|;s:|,?\s*[\\"'`]*value)/i.test(match[0]);
  const isSpaced = /^[ \t]+[^\s:=(|]/.test(match[0]);
  if ((!isAssigned || kind === 'likely') && !(isRandom(value) || isDrawnUuid(value))) return undefined;
  if (isSpaced && !/[_-]/.test(name)) return undefined;
  return namedValue(name, valueEnd - value.length, valueEnd);
}

function isListed(match: string): boolean {
  return /^\\*["']\s*,\s*b?\\*["'](?!\\*value)/i.test(match);
}

/** Whether a list consists of a name and its value alone, as headers are often written. */
function isListedPair(text: string, start: number, end: number): boolean {
  return (
    /[[(]\s{0,60}b?\\{0,8}["']$/.test(text.slice(Math.max(0, start - 72), start)) &&
    /^\\{0,8}["']\s{0,60}[\])]/.test(text.slice(end, end + 72))
  );
}

function isRandomValue(value: string): boolean {
  return (
    value.length >= SHORTEST_RANDOM &&
    !isPlaceholder(value) &&
    !isOrdinaryValue(value) &&
    mixesCharacterClasses(value) &&
    entropy(value) >= (value.length < LONG_VALUE ? MIN_NAMED_ENTROPY : MIN_LONG_ENTROPY)
  );
}

/** A random value after a name that says that it is a secret: a UUID is one, too. */
function isNamedRandom(value: string): boolean {
  return isRandomValue(value) || isDrawnUuid(value);
}

function namedValue(name: string, start: number, end: number): SecretHit {
  const excerpt = t('{0}: … ({1} characters)', name, end - start);
  return {
    rule: NAMED_SECRET,
    what: WHAT,
    excerpt,
    start,
    end,
    placeholder: `[redacted:${NAMED_SECRET}]`,
    rank: NAMED_RANK,
  };
}

const PARAMETER = /(?:^|[?&#;])(?:amp;)?([A-Za-z][\w.-]{0,40})=([^&#;\s"'<>\\]{1,4000})/g;

export const PAIR_START = 'name';
const PAIRED_PARAMETER = composePattern(
  `\\b${PAIR_START}${QUOTE}\\s{0,4}:\\s{0,8}${QUOTE}([A-Za-z][\\w.-]{0,40})${PAIR}([A-Za-z0-9+/_.~%-]{16,512}={0,2})(?![A-Za-z0-9+/_=-])`,
  'y',
);

/** The parameters of URLs that are written as `{name, value}`. */
function findPairedParameters(text: string, starts: readonly LiteralMatch[]): SecretHit[] {
  let after = 0;
  return starts.flatMap(({ index }) => {
    PAIRED_PARAMETER.lastIndex = index;
    const match = index < after ? null : PAIRED_PARAMETER.exec(text);
    if (match === null) return [];
    const [{ length }, name = '', value = ''] = match;
    after = index + length;
    return parameterKind(name) === undefined || !isRandomValue(value)
      ? []
      : [namedValue(name, after - value.length, after)];
  });
}

/** Parameters that together sign one URL. */
const SIGNING =
  /^(?:x_(?:amz|goog)_(?:signature|credential|security_token)|(?:aws|oss|google)?access_?(?:key)?_?id|signature|sig)$/;
/** What may stand between two parameters of one URL. */
const SAME_URL = /^[^\s"'<>\\]*$/;

/** The parameters of URLs in a text. In a text that is itself a URL or a form, words are hidden as well. */
export function findParameters(text: string, isUrl = false): SecretHit[] {
  if (!text.includes('=')) return [];
  let signed: SecretHit | undefined;
  return Array.from(text.matchAll(PARAMETER)).flatMap((match) => {
    const [{ length }, name = '', value = ''] = match;
    const kind = parameterKind(name);
    if (kind === undefined) return [];
    const random = nameKind(name) === undefined ? isRandomValue(value) : isNamedRandom(value);
    const isHidden = isUrl ? kind === 'secret' || isCode(value) : random || isPasswordParameter(name, value);
    if (!isHidden) return [];
    const end = match.index + length;
    const start = end - value.length;
    const excerpt = t('{0}=… ({1} characters)', name, value.length);
    const doubt = random || isPasswordParameter(name, value) ? {} : ({ isDoubtful: true } as const);
    const isSigning = SIGNING.test(snakeCase(name));
    // A signed URL is one secret, whatever it consists of.
    const isContinued = isSigning && signed !== undefined && SAME_URL.test(text.slice(signed.end, start));
    const hit: SecretHit = {
      rule: NAMED_SECRET,
      what: WHAT,
      excerpt,
      start,
      end,
      placeholder: MASK,
      rank: PARAMETER_RANK,
      ...doubt,
      ...(isContinued && { isContinued }),
    };
    if (isSigning) signed = hit;
    return [hit];
  });
}

/** Whether a value looks like a code that was made by chance, such as that of an OAuth redirect. */
function isCode(value: string): boolean {
  return value.length >= 8 && mixesCharacterClasses(value) && !isOrdinaryValue(value);
}

function isPasswordParameter(name: string, value: string): boolean {
  return nameKind(name) === 'secret' && value.length >= 6 && !isPlaceholder(value) && isPassword(name, value);
}

/** From the name of the header to its value, which ends with the line. */
const TO_COOKIES = composePattern(`(?:${PAIR}|${TO_VALUE}|${LISTED})`, 'y');
const LINE_END = /[\r\n]|$/g;
const LONGEST_HEADER = 4000;
const COOKIE = /(?<![\w.-])([\w.-]{1,60})=([^;,\s"'\\]{16,2000})/g;
const SESSION_COOKIE = /sess|sid$|auth|token|jwt|login|remember|^li_at$/i;

/** The cookies of sessions in the headers of a text. Others count, or tell people from robots. */
class CookieSearch {
  /** Where the search of the last header ended. One may seem to hold many others, and each part of the text is searched once. */
  #searched = 0;
  #lineEnd = -1;

  constructor(private readonly text: string) {}

  /** Those in the header whose name ends there. */
  after(nameEnd: number): SecretHit[] {
    TO_COOKIES.lastIndex = nameEnd;
    if (!TO_COOKIES.test(this.text)) return [];
    const value = TO_COOKIES.lastIndex;
    const end = Math.min(this.#endOfLine(value), value + LONGEST_HEADER);
    const start = Math.max(value, this.#searched);
    if (start >= end) return [];
    const part = this.text.slice(start, end);
    // One that is cut off is searched with what follows.
    const [{ length: cut } = ''] = /[^;,\s]{0,80}$/.exec(part) ?? [];
    this.#searched = end - (cut < 80 ? cut : 0);
    return Array.from(part.matchAll(COOKIE)).flatMap(({ 0: { length }, 1: name = '', 2: cookie = '', index }) => {
      if (!SESSION_COOKIE.test(name) || /csrf|xsrf/i.test(name) || !isRandomValue(cookie)) return [];
      return [sessionCookie(name, cookie, start + index + length)];
    });
  }

  #endOfLine(from: number): number {
    if (this.#lineEnd < from) {
      LINE_END.lastIndex = from;
      this.#lineEnd = LINE_END.exec(this.text)?.index ?? this.text.length;
    }
    return this.#lineEnd;
  }
}

function sessionCookie(name: string, value: string, end: number): SecretHit {
  const rule = 'session-cookie';
  return {
    rule,
    what: message('the cookie of a session'),
    excerpt: t('{0}=… ({1} characters)', name, value.length),
    start: end - value.length,
    end,
    placeholder: `[redacted:${rule}]`,
    rank: NAMED_RANK,
  };
}

export const FORM_START = 'form-data';
/** The end of a line, also as an escape in a string. */
const EOL = '(?:\\r?\\n|(?:\\\\{1,4}r)?\\\\{1,4}n)';
const IN_LINE = '(?:(?!\\\\{1,4}[rn])[^\\r\\n])';
const FORM_PART = composePattern(
  `form-data;${IN_LINE}{0,200}?\\bname=\\\\{0,4}"?([\\w.-]{1,60})${IN_LINE}{0,200}${EOL}(?:[A-Za-z-]{1,40}:${IN_LINE}{0,200}${EOL}){0,6}${EOL}(${IN_LINE}{1,4000})(?=${EOL}--)`,
  'g',
);

/** The fields of a multipart form. */
function findFormParts(text: string): SecretHit[] {
  return Array.from(text.matchAll(FORM_PART)).flatMap((match) => {
    const [{ length }, name = '', value = ''] = match;
    const end = match.index + length;
    if (parameterKind(name) === 'secret') return [wholeValue(text, name, end - value.length, end, PARAMETER_RANK)];
    return nameKind(name) !== undefined && isNamedRandom(value) ? [namedValue(name, end - value.length, end)] : [];
  });
}

const LONGEST_VALUE = 20_000;

/**
 * The end of a string whose opening quote follows `escapes` backslashes: 0, 1, 3 or 7 for strings within strings.
 * A backslash of the value is written as 2 * (escapes + 1) backslashes, and a quote with 2 * escapes + 1 before it.
 */
function closingQuote(text: string, start: number, escapes: number): number | undefined {
  const period = 2 * (escapes + 1);
  const last = Math.min(text.length, start + LONGEST_VALUE);
  for (let at = text.indexOf('"', start); at !== -1 && at < last; at = text.indexOf('"', at + 1)) {
    let run = 0;
    while (at - run > start && text[at - run - 1] === '\\') run += 1;
    if (run % period === escapes) return at - escapes;
  }
  return undefined;
}
