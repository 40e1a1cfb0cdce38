import { cutMiddle, diffWords, replacedText, type TextHunk } from '../diff/diffText';
import type { ValueDifference } from '../diff/diffValues';
import { compactJson, type Json } from '../json/json';
import type { JsonPath } from '../json/jsonPath';
import { jsonPointer } from '../json/jsonPointer';
import { message, t } from '../text/l10n';
import type { MessageChange, RequestChanges, ToolChange } from './compareRequests';
import { blockText } from './explainDrift';

/** One line for each change, in the order of a request. */
export function changeLines({ address, model, params, messages, tools }: RequestChanges): string[] {
  return [
    ...(address === undefined ? [] : [t('endpoint: {0} → {1}', address.before, address.after)]),
    ...(model === undefined ? [] : [t('model: {0} → {1}', model.before ?? t('none'), model.after ?? t('none'))]),
    ...params.map(parameterLine),
    ...messages.map(messageLine),
    ...tools.flatMap(toolLines),
  ];
}

function parameterLine(change: ValueDifference): string {
  const [name = '', ...rest] = change.path;
  const where = rest.length === 0 ? String(name) : jsonPointer(change.path);
  return t('parameter {0}: {1}', where, valueText(change));
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

function toolLines(change: ToolChange): string[] {
  if (change.type === 'moved') return [t('tool {0} moved', change.name)];
  if (change.type !== 'changed' || change.values.length === 0) return [t(TOOL_LINES[change.type], change.name)];
  return change.values.map((value) =>
    t('tool {0}, {1}: {2}', change.name, jsonPointer(value.path) || t('definition'), valueText(value)),
  );
}

/** The place of a value in the arguments of a call. */
export function argumentName(path: ValueDifference['path']): string {
  return t('argument {0}', path.length === 1 ? String(path[0]) : jsonPointer(path));
}

/** What a value was, and what it is. */
export function valueText({ before, after }: ValueDifference): string {
  if (before === undefined) return t('added, {0}', short(after));
  if (after === undefined) return t('removed, was {0}', short(before));
  if (typeof before !== 'string' || typeof after !== 'string') return `${short(before)} → ${short(after)}`;
  if (before.length + after.length <= SHORT && !/\s/.test(before + after)) return `${short(before)} → ${short(after)}`;
  return JSON.stringify(changedWords(before, after));
}

/** How many characters of unchanged text are kept: beside each change, and after the last. What is hardly longer stays whole. */
export interface Context {
  readonly beside: number;
  readonly after: number;
  readonly slack: number;
}

/** A changed text as `[-old-]{+new+}`, with some of the unchanged text around it. */
export function changedWords(before: string, after: string, context = CONTEXT): string {
  return formatWords(wordHunks(before, after), context);
}

function wordHunks(before: string, after: string): readonly TextHunk[] {
  return joinedInWords(diffWords(before, after, WORDS_TIMEOUT_MS) ?? replacedText(before, after));
}

/** The same as one replacement, from the first change to the last: of several, nobody reads a text together. */
export function changedPart(before: string, after: string, context = CONTEXT): string {
  const hunks = wordHunks(before, after);
  const first = hunks.findIndex(({ isEqual }) => !isEqual);
  const end = hunks.findLastIndex(({ isEqual }) => !isEqual) + 1;
  if (first < 0) return formatWords(hunks, context);
  const changed = hunks.slice(first, end);
  const both = (side: 'before' | 'after') => changed.map((hunk) => hunk[side]).join('');
  const one = { isEqual: false, before: both('before'), after: both('after') };
  return formatWords([...hunks.slice(0, first), one, ...hunks.slice(end)], context);
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
const CONTEXT: Context = { beside: 30, after: 30, slack: 0 };

function short(value: Json | undefined): string {
  const text = compactJson(value ?? null);
  return text.length <= 2 * SHORT ? text : `${text.slice(0, 2 * SHORT)}…`;
}

export function quoted(value: Json): string {
  const text = blockText(value).trim();
  return short(text === '' ? value : text);
}

/** As in git's word diff. */
function formatWords(hunks: readonly TextHunk[], { beside, after: end, slack }: Context): string {
  const last = hunks.length - 1;
  const marked = hunks.map(({ isEqual, before, after }, index) => {
    if (!isEqual) return `${before && `[-${shortened(before)}-]`}${after && `{+${shortened(after)}+}`}`;
    return elided(before, index === 0 ? 0 : index === last ? end : beside, index === last ? 0 : beside, slack);
  });
  const whole = marked.join('');
  return whole.length <= MAX_LENGTH ? whole : `${whole.slice(0, MAX_LENGTH)}…`;
}

const MAX_LENGTH = 600;

function shortened(text: string): string {
  return elided(text, SHORT, SHORT);
}

function elided(text: string, head: number, tail: number, slack = 0): string {
  const { start, skipped, end } = cutMiddle(text, head, tail, slack);
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
