import { closestWord } from '../text/closestWord';
import { t } from '../text/l10n';
import { type Comparison, type NameTerm, QUERY_EXAMPLE, type Query, SEARCH_FIELDS, type Term } from './query';

/** Why a query cannot be understood, and where in it. */
interface QueryProblem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** A query is a line that somebody types. */
const LONGEST_QUERY = 2000;

/** Parses a query such as `tool:lookup_order status:429 "free text"`. */
export function parseQuery(text: string): Query | QueryProblem {
  if (text.length > LONGEST_QUERY)
    return problem(t('the query is too long'), { start: LONGEST_QUERY, end: text.length });
  const terms: Term[] = [];
  for (const word of wordsOf(text)) {
    const term = word.isOpen ? problem(t('a quotation mark has no end: add another "'), word) : termOf(word);
    if ('message' in term) return term;
    terms.push(term);
  }
  return terms.length > 0
    ? { terms }
    : problem(t('type what to search for, such as {0}', QUERY_EXAMPLE), { start: 0, end: 0 });
}

export function isQueryProblem(parsed: Query | QueryProblem): parsed is QueryProblem {
  return 'message' in parsed;
}

/** A word of a query; quotation marks keep white space within it. */
interface Word {
  /** Before a colon, where it does not begin with a quotation mark. */
  readonly field?: string;
  readonly value: string;
  /** A quotation mark is missing. */
  readonly isOpen: boolean;
  readonly start: number;
  readonly end: number;
}

const WORD = /(?:([a-z]+):(?!\/\/))?(?:(=?)"([^"]*)("?)|(\S*))/gi;

function wordsOf(text: string): readonly Word[] {
  const found = Array.from(text.matchAll(WORD)).filter(([whole]) => whole !== '');
  return found.map(({ index, 0: whole, 1: field, 2: equals = '', 3: quoted, 4: close, 5: plain = '' }) => ({
    ...(field !== undefined && { field: field.toLowerCase() }),
    value: quoted === undefined ? plain : equals + quoted,
    isOpen: quoted !== undefined && close === '',
    start: index,
    end: index + whole.length,
  }));
}

function termOf(word: Word): Term | QueryProblem {
  const { field, value } = word;
  if (field !== undefined && value === '') return problem(t('{0}: needs a value: {1}', field, exampleOf(field)), word);
  switch (field) {
    case undefined:
      return /\S/.test(value)
        ? { field: 'text', text: value }
        : problem(t('there is nothing between the quotation marks'), word);
    case 'tool':
    case 'model':
    case 'format':
    case 'path':
      return nameTerm(field, word);
    case 'status':
      return statusTerm(word);
    case 'cost':
      return comparedTerm(field, word, amountOf);
    case 'age':
      return comparedTerm(field, word, ageOf);
    case 'has':
      if (value === 'secrets' || value === 'problems') return { field, what: value };
      return problem(t('{0}: takes {1}', field, 'has:secrets, has:problems'), word);
    case 'is':
      // As in the filter of a transcript.
      if (value === 'error') return { field: 'status', status: 'error' };
      if (value === 'orphan') return { field, what: value };
      return problem(t('{0}: takes {1}', field, 'is:orphan, is:error'), word);
    default:
      return unknownField(field, word);
  }
}

function nameTerm(field: NameTerm['field'], word: Word): Term | QueryProblem {
  const isWhole = word.value.startsWith('=');
  const name = isWhole ? word.value.slice(1) : word.value;
  return name === ''
    ? problem(t('{0}: needs a value: {1}', `${field}:=`, exampleOf(field)), word)
    : { field, name, isWhole };
}

const HIGHEST_STATUS = 999;

function statusTerm(word: Word): Term | QueryProblem {
  const { value } = word;
  if (value === 'error') return { field: 'status', status: 'error' };
  const [, hundreds] = /^([1-9])xx$/i.exec(value) ?? [];
  if (hundreds !== undefined)
    return { field: 'status', status: { from: Number(hundreds) * 100, to: Number(hundreds) * 100 + 99 } };
  const [, sign = '', digits = ''] = /^(>=|<=|>|<|)(\d{3})$/.exec(value) ?? [];
  if (digits === '')
    return problem(
      t('“{0}” is not a status: write {1}', value, 'status:429, status:5xx, status:>=400, status:error'),
      word,
    );
  const status = Number(digits);
  const from = sign.startsWith('<') ? 0 : status + Number(sign === '>');
  const to = sign.startsWith('>') ? HIGHEST_STATUS : status - Number(sign === '<');
  return { field: 'status', status: { from, to } };
}

function comparedTerm(
  field: 'cost' | 'age',
  word: Word,
  read: (text: string) => number | undefined,
): Term | QueryProblem {
  const [, is, rest = ''] = /^(>=|<=|>|<)(.*)$/.exec(word.value) ?? [];
  const than = read(is === undefined ? word.value : rest);
  if (than === undefined)
    return problem(t('“{0}” is not a valid value: write {1}', word.value, exampleOf(field)), word);
  if (is === undefined)
    return problem(t('{0} needs > or <, as in {1}', `${field}:${word.value}`, `${field}:>${word.value}`), word);
  return { field, compared: { is: is as Comparison['is'], than } };
}

function amountOf(text: string): number | undefined {
  return /^\$?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text.replace('$', '')) : undefined;
}

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 24 * 7, mo: 24 * 30, y: 24 * 365 };

/** In milliseconds. */
function ageOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,5})(h|d|w|mo|y)$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? Number.NaN) * HOUR;
}

function unknownField(field: string, word: Word): QueryProblem {
  const names = SEARCH_FIELDS.map(({ name }) => name);
  const close = closestWord(field, names);
  const known = close === undefined ? t('Known fields: {0}.', names.join(', ')) : t('Did you mean {0}:?', close);
  return problem(t('there is no field {0}:. {1} Or put it in quotation marks', field, known), word);
}

function exampleOf(field: string): string {
  return SEARCH_FIELDS.find(({ name }) => name === field)?.example ?? QUERY_EXAMPLE;
}

function problem(message: string, { start, end }: Pick<QueryProblem, 'start' | 'end'>): QueryProblem {
  return { message, start, end };
}
