import { cutMiddle, diffWords, replacedText, type TextHunk } from '../diff/diffText';
import type { ValueDifference } from '../diff/diffValues';
import { compactJson, type Json } from '../json/json';
import type { JsonPath } from '../json/jsonPath';
import { jsonPointer } from '../json/jsonPointer';
import { message, t } from '../text/l10n';
import type { MessageChange, RequestChanges, ToolChange } from './compareRequests';
import { blockText } from './explainDrift';

/** One line for each change, in the order of a request. `written` says what a value was, and what it is. */
export function changeLines(
  { address, model, params, messages, tools }: RequestChanges,
  written: WrittenChange = valueText,
): string[] {
  return [
    ...(address === undefined ? [] : [t('endpoint: {0} → {1}', address.before, address.after)]),
    ...(model === undefined ? [] : [t('model: {0} → {1}', model.before ?? t('none'), model.after ?? t('none'))]),
    ...params.map((change) => parameterLine(change, written)),
    ...messages.map(messageLine),
    ...tools.flatMap((change) => toolLines(change, written)),
  ];
}

type WrittenChange = (value: ValueDifference) => string;

function parameterLine(change: ValueDifference, written: WrittenChange): string {
  const [name = '', ...rest] = change.path;
  const where = rest.length === 0 ? String(name) : jsonPointer(change.path);
  return t('parameter {0}: {1}', where, written(change));
}

function messageLine(change: MessageChange): string {
  switch (change.type) {
    case 'added':
      return withValue(messageText('added', change.to, change.role), change.value);
    case 'removed':
      return withValue(messageText('removed', change.from, change.role), change.value);
    case 'moved':
      return t(
        'message {0} ({1}) moved to {2}: {3}',
        indexed(change.from),
        change.role,
        indexed(change.to),
        quoted(change.value),
      );
    case 'edited': {
      const was =
        jsonPointer(change.from) === jsonPointer(change.to)
          ? ''
          : t(RECORDED_AS[isIndexed(change.from) ? 0 : 1], indexed(change.from));
      const values = change.values.map((value) => `${inMessage(value)}${valueText(value)}`);
      const how = values.length === 0 ? '' : `: ${values.join('; ')}`;
      return `${messageText('edited', change.to, change.role)}${was}${how}`;
    }
  }
}

function withValue(what: string, value: Json): string {
  return value === null ? what : `${what}: ${quoted(value)}`;
}

const MESSAGE_TEXTS = {
  added: [message('message {0} ({1}) added'), message('`{0}` added')],
  removed: [message('message {0} ({1}) removed'), message('`{0}` removed')],
  edited: [message('message {0} ({1}) edited'), message('`{0}` edited')],
} as const;

/** Messages are counted from 1; instructions beside them go by their key. */
function messageText(type: keyof typeof MESSAGE_TEXTS, path: JsonPath, role: string): string {
  const [ofIndex, ofKey] = MESSAGE_TEXTS[type];
  return isIndexed(path) ? t(ofIndex, indexed(path), role) : t(ofKey, indexed(path));
}

const RECORDED_AS = [message(', recorded as message {0}'), message(', recorded as `{0}`')] as const;

function isIndexed(path: JsonPath): boolean {
  return typeof path.at(-1) === 'number';
}

function indexed(path: JsonPath): string {
  const at = path.at(-1) ?? '';
  return typeof at === 'number' ? number(at) : at;
}

/** The place of a value in its message; empty for the text of the message. */
export function inMessage({ path }: ValueDifference): string {
  const place = jsonPointer(path);
  return /^(\/content|\/parts)?(\/\d+)?(\/text)?$/.test(place) ? '' : `${place} `;
}

const TOOL_LINES = {
  added: message('tool {0} added'),
  removed: message('tool {0} removed'),
  changed: message('tool {0} changed'),
} as const;

function toolLines(change: ToolChange, written: WrittenChange): string[] {
  if (change.type === 'moved') return [t('tool {0} moved', change.name)];
  if (change.type !== 'changed' || change.values.length === 0) return [t(TOOL_LINES[change.type], change.name)];
  return change.values.map((value) =>
    t('tool {0}, {1}: {2}', change.name, jsonPointer(value.path) || t('definition'), written(value)),
  );
}

/** The place of a value in the arguments of a call. */
export function argumentName(path: ValueDifference['path']): string {
  return t('argument {0}', path.length === 1 ? String(path[0]) : jsonPointer(path));
}

/** What a value was, and what it is, in plain text. */
export function valueText(value: ValueDifference): string {
  const { before, after } = value;
  if (typeof before !== 'string' || typeof after !== 'string') return replacedValue(value);
  if (before.length + after.length <= SHORT && !/\s/.test(before + after)) return `${short(before)} → ${short(after)}`;
  return JSON.stringify(changedWords(before, after));
}

/** What a value was, and what it is, as `old → new`. */
export function replacedValue({ before, after }: ValueDifference): string {
  if (before === undefined) return t('added, {0}', short(after));
  if (after === undefined) return t('removed, was {0}', short(before));
  if (typeof before === 'string' && typeof after === 'string') return replacedWords(before, after);
  return `${short(before)} → ${short(after)}`;
}

/** A changed text as `[-old-]{+new+}`, with some of the unchanged text around it: git's notation, for plain text only. */
function changedWords(before: string, after: string): string {
  return formatWords(wordHunks(before, after));
}

function wordHunks(before: string, after: string): readonly TextHunk[] {
  return joinedInWords(diffWords(before, after, WORDS_TIMEOUT_MS) ?? replacedText(before, after));
}

/** The words of a text that changed as `old → new`, in one piece from the first change to the last: of several, nobody reads a text together. */
export function replacedWords(before: string, after: string): string {
  const hunks = wordHunks(before, after);
  const equal = (hunk: TextHunk | undefined): string => (hunk?.isEqual === true ? hunk.before : '');
  const [head, tail] = [equal(hunks[0]), equal(hunks.at(-1))];
  const middle = (text: string): string => text.slice(head.length, text.length - tail.length);
  // A word that changed in part is shown whole, as `2026-11-22` is where `22` changed.
  const sides = [middle(before), middle(after)];
  const starts = sides.includes('') ? /^\w/ : /^\S/;
  const lead = sides.some((side) => starts.test(side)) ? (/[\w.:/-]{0,40}$/.exec(head)?.[0] ?? '') : '';
  const end = sides.some((side) => /\w$/.test(side)) ? (/^[\w-]{0,40}/.exec(tail)?.[0] ?? '') : '';
  const [was = '', is = ''] = sides.map((side) => shortened(`${lead}${side}${end}`.trim()));
  if (was === '') return t('added, {0}', JSON.stringify(is));
  return is === '' ? t('removed, was {0}', JSON.stringify(was)) : `${was} → ${is}`;
}

/** Joins changes between which there is only a sign, as in a date: `2026-[-04-04-]{+05-31+}`. */
function joinedInWords(hunks: readonly TextHunk[]): readonly TextHunk[] {
  const joined: TextHunk[] = [];
  for (const [at, hunk] of hunks.entries()) {
    const last = joined.at(-1);
    const isSign = hunk.isEqual && hunks[at + 1]?.isEqual === false && /^[^\s\p{L}\p{N}]{1,2}$/u.test(hunk.before);
    if (last === undefined || last.isEqual || (hunk.isEqual && !isSign)) joined.push(hunk);
    else {
      const { before, after } = last;
      joined.splice(-1, 1, { isEqual: false, before: before + hunk.before, after: after + hunk.after });
    }
  }
  return joined;
}

const WORDS_TIMEOUT_MS = 200;
const SHORT = 60;
/** Characters of unchanged text that are kept beside each change. */
const CONTEXT = 30;

function short(value: Json | undefined): string {
  const text = compactJson(value ?? null);
  return text.length <= 2 * SHORT ? text : `${text.slice(0, 2 * SHORT)}…`;
}

export function quoted(value: Json): string {
  const text = blockText(value).trim();
  return short(text === '' ? value : text);
}

/** As in git's word diff. */
function formatWords(hunks: readonly TextHunk[]): string {
  const last = hunks.length - 1;
  const marked = hunks.map(({ isEqual, before, after }, index) => {
    if (!isEqual) return `${before && `[-${shortened(before)}-]`}${after && `{+${shortened(after)}+}`}`;
    return elided(before, index === 0 ? 0 : CONTEXT, index === last ? 0 : CONTEXT);
  });
  const whole = marked.join('');
  return whole.length <= MAX_LENGTH ? whole : `${whole.slice(0, MAX_LENGTH)}…`;
}

const MAX_LENGTH = 600;

function shortened(text: string): string {
  return elided(text, SHORT, SHORT);
}

function elided(text: string, head: number, tail: number): string {
  const { start, skipped, end } = cutMiddle(text, head, tail);
  return skipped === 0 ? start : `${start}…${end}`;
}

/** An index as shown to users, from 1. */
export function number(index: number | undefined): string {
  return `${(index ?? 0) + 1}`;
}

/** The one change that says most: the endpoint or the model, else what is said, else a parameter or a tool. */
export function decisiveChange({ address, model, messages, tools, params }: RequestChanges): RequestChanges {
  const none = { params: [], messages: [], tools: [] };
  if (address !== undefined) return { ...none, address };
  if (model !== undefined) return { ...none, model };
  if (messages.length > 0) return { ...none, messages: messages.slice(0, 1) };
  return params.length > 0 ? { ...none, params: params.slice(0, 1) } : { ...none, tools: tools.slice(0, 1) };
}
