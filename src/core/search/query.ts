import { message } from '../text/l10n';

/** What is compared: an amount of dollars, an age in milliseconds, or a status. */
export interface Comparison {
  readonly is: '>' | '<' | '>=' | '<=';
  readonly than: number;
}

/** A name to look for: anywhere in the recorded one, ignoring case, or as the whole of it. */
export interface NameTerm {
  readonly field: 'tool' | 'model' | 'format' | 'path';
  readonly name: string;
  readonly isWhole: boolean;
}

/** Both ends are included. */
interface StatusRange {
  readonly from: number;
  readonly to: number;
}

export type Term =
  | { readonly field: 'text'; readonly text: string }
  | NameTerm
  | { readonly field: 'status'; readonly status: 'error' | StatusRange }
  | { readonly field: 'cost' | 'age'; readonly compared: Comparison }
  | { readonly field: 'has'; readonly what: 'secrets' | 'problems' }
  | { readonly field: 'is'; readonly what: 'orphan' };

/** A query: everything that an interaction, or its tape, must match. */
export interface Query {
  readonly terms: readonly Term[];
}

/** A field of the query language, with its example and explanation. */
interface SearchField {
  readonly name: Exclude<Term['field'], 'text'>;
  readonly example: string;
  readonly about: string;
}

/** The words of the query language, in the order in which they are offered. */
export const SEARCH_FIELDS: readonly SearchField[] = [
  { name: 'tool', example: 'tool:lookup_order', about: message('part of the name of a tool that is called') },
  {
    name: 'model',
    example: 'model:gpt-4o',
    about: message('part of the name of the model that was asked for, or responded; model:=gpt-4o for the whole name'),
  },
  {
    name: 'status',
    example: 'status:429',
    about: message('an HTTP status, status:5xx, or status:error for every failure'),
  },
  { name: 'cost', example: 'cost:>0.01', about: message('in US dollars, for one interaction') },
  {
    name: 'age',
    example: 'age:>30d',
    about: message('recorded longer ago than that; age:<12h for more recently; h, d, w, mo, y'),
  },
  { name: 'format', example: 'format:vcrpy', about: message('of the tape') },
  { name: 'path', example: 'path:refund', about: message('part of the tape’s path, relative to the project') },
  { name: 'has', example: 'has:secrets', about: message('tapes with secrets, or has:problems') },
  {
    name: 'is',
    example: 'is:orphan',
    about: message('tapes that no case and no known test uses, or is:error for every failure'),
  },
];

/** The example shown in the input of a query. */
export const QUERY_EXAMPLE = 'tool:lookup_order status:429 cost:>0.01 age:>30d "free text"';
