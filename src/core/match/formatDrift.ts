import { cutMiddle, diffWords, replacedText, type TextHunk } from '../diff/diffText';
import type { ValueDifference } from '../diff/diffValues';
import { compactJson, type Json } from '../json/json';
import type { JsonPath } from '../json/jsonPath';
import type { Mask } from '../model/case';
import { shellWord } from '../text/shellWord';
import { countChanges, type MessageChange, type RequestChanges, type ToolChange } from './compareRequests';
import { blockText, type Drift } from './explainDrift';
import { formatMask, jsonPointer } from './masks';

export interface DriftContext {
  /** The tape's path from the project, or its name. */
  readonly tape: string;
  /** How to record again, as a sentence. */
  readonly rerecord?: string;
  /** Where masks can be declared: in the case (the default), or as options of the command. */
  readonly masksIn?: 'case' | 'options';
}

/** The first line of an explanation, which also stands alone. */
export function driftHeadline({ kind, nearest, same, recorded, changes }: Drift, tape: string): string {
  switch (kind) {
    case 'missing':
      return recorded === 0
        ? `${tape} has no recordings`
        : `no recording on ${tape} resembles this request (${recorded} recorded)`;
    case 'used-up':
      return same.length === 1
        ? `${tape} has one recording of this request, which has already been served: the agent sent it again`
        : `${tape} has ${same.length} recordings of this request, all of which have already been served: the agent sent it again`;
    case 'out-of-order':
      return `${tape} has this request as interaction ${number(nearest?.index)}, but it is not the next one`;
    case 'drifted': {
      const count = changes === undefined ? 0 : countChanges(changes);
      const places = count === 1 ? 'one place' : `${count} places`;
      return `this request is not on ${tape}: it differs from interaction ${number(nearest?.index)} in ${places}${decisive(changes, count)}`;
    }
  }
}

/** What differs most, since many clients show only the beginning of an error: the endpoint, the model, else what is said. */
function decisive(changes: RequestChanges | undefined, count: number): string {
  if (changes === undefined || count === 0) return '';
  const { messages, tools, params } = changes;
  const none = { params: [], messages: [], tools: [] };
  const said = { ...none, messages: messages.slice(0, 1) };
  const rest = { ...none, tools: tools.slice(0, 1), params: params.slice(0, 1) };
  const { address, model } = changes;
  const [first = ''] = [
    ...changeLines({ ...none, ...(address && { address }), ...(model && { model }) }),
    ...changeLines(said),
    ...changeLines(rest),
  ];
  const line = first.length <= HEADLINE ? first : `${first.slice(0, HEADLINE)}…`;
  return count === 1 ? `: ${line}` : `, such as ${line}`;
}

/** Characters of a change in the first line, which has all of it below. */
const HEADLINE = 160;

/** The whole explanation of a drift, in lines. */
export function formatDrift(drift: Drift, { tape, rerecord, masksIn = 'case' }: DriftContext): string {
  const { model, lastUserMessage, nearest, changes, masks } = drift;
  const lines = [driftHeadline(drift, tape)];
  if (model !== undefined) lines.push(`  model: ${model}`);
  if (lastUserMessage !== undefined) lines.push(`  last user message: ${JSON.stringify(lastUserMessage)}`);
  if (nearest !== undefined && changes !== undefined)
    lines.push(
      `  nearest recording: interaction ${number(nearest.index)}${nearest.used ? ', which has already been served' : ''}`,
    );
  if (changes !== undefined) lines.push(...changeLines(changes).map((line) => `    ${line}`));
  if (masks.length > 0) lines.push(`  It would match with ${declaration(masks, masksIn)}.`);
  if (rerecord !== undefined) lines.push(`  ${rerecord}`);
  return lines.join('\n');
}

function declaration(masks: readonly Mask[], masksIn: 'case' | 'options'): string {
  const texts = masks.map(formatMask);
  if (masksIn === 'options') return texts.map((text) => `--mask ${shellWord(text)}`).join(' ');
  return `mask = [${texts.map((text) => JSON.stringify(text)).join(', ')}] under [llm.replay]`;
}

/** One line for each change, in the order of a request. */
export function changeLines({ address, model, params, messages, tools }: RequestChanges): string[] {
  return [
    ...(address === undefined ? [] : [`endpoint: ${address.before} → ${address.after}`]),
    ...(model === undefined ? [] : [`model: ${model.before ?? 'none'} → ${model.after ?? 'none'}`]),
    ...params.map(parameterLine),
    ...messages.map(messageLine),
    ...tools.flatMap(toolLines),
  ];
}

function parameterLine(change: ValueDifference): string {
  const [name = '', ...rest] = change.path;
  const where = rest.length === 0 ? String(name) : jsonPointer(change.path);
  return `parameter ${where}: ${valueText(change)}`;
}

function messageLine(change: MessageChange): string {
  switch (change.type) {
    case 'added':
      return `${messageName(change.to, change.role)} added${change.value === null ? '' : `: ${quoted(change.value)}`}`;
    case 'removed':
      return `${messageName(change.from, change.role)} removed${change.value === null ? '' : `: ${quoted(change.value)}`}`;
    case 'moved':
      return `${messageName(change.from, change.role)} moved to ${messageName(change.to)}: ${quoted(change.value)}`;
    case 'edited': {
      const was =
        jsonPointer(change.from) === jsonPointer(change.to) ? '' : `, recorded as ${messageName(change.from)}`;
      const values = change.values.map((value) => `${inMessage(value)}${valueText(value)}`);
      const how = values.length === 0 ? '' : `: ${values.join('; ')}`;
      return `${messageName(change.to, change.role)} edited${was}${how}`;
    }
  }
}

/** Messages are counted from 1; instructions beside them go by their key. */
function messageName(path: JsonPath, role?: string): string {
  const at = path.at(-1);
  if (typeof at !== 'number') return `\`${at ?? ''}\``;
  return `message ${number(at)}${role === undefined ? '' : ` (${role})`}`;
}

/** The place of a value in its message; empty for the text of the message. */
function inMessage({ path }: ValueDifference): string {
  const place = jsonPointer(path);
  return /^(\/content|\/parts)?(\/\d+)?(\/text)?$/.test(place) ? '' : `${place} `;
}

function toolLines(change: ToolChange): string[] {
  if (change.type === 'moved') return [`tool ${change.name} moved`];
  if (change.type !== 'changed' || change.values.length === 0) return [`tool ${change.name} ${change.type}`];
  return change.values.map(
    (value) => `tool ${change.name}, ${jsonPointer(value.path) || 'definition'}: ${valueText(value)}`,
  );
}

function valueText({ before, after }: ValueDifference): string {
  if (before === undefined) return `added, ${short(after)}`;
  if (after === undefined) return `removed, was ${short(before)}`;
  if (typeof before !== 'string' || typeof after !== 'string') return `${short(before)} → ${short(after)}`;
  if (before.length + after.length <= SHORT && !/\s/.test(before + after)) return `${short(before)} → ${short(after)}`;
  return JSON.stringify(formatWords(diffWords(before, after, WORDS_TIMEOUT_MS) ?? replacedText(before, after)));
}

const WORDS_TIMEOUT_MS = 200;
const SHORT = 60;
/** Characters of unchanged text on either side of a change. */
const CONTEXT = 30;

function short(value: Json | undefined): string {
  const text = compactJson(value ?? null);
  return text.length <= 2 * SHORT ? text : `${text.slice(0, 2 * SHORT)}…`;
}

function quoted(value: Json): string {
  const text = blockText(value).trim();
  return short(text === '' ? value : text);
}

/** `[-old-]{+new+}` between a little of the unchanged text, as in git's word diff. */
function formatWords(hunks: readonly TextHunk[]): string {
  const marked = hunks.map(({ isEqual, before, after }, index) => {
    if (!isEqual) return `${before && `[-${shortened(before)}-]`}${after && `{+${shortened(after)}+}`}`;
    return elided(before, index === 0 ? 0 : CONTEXT, index === hunks.length - 1 ? 0 : CONTEXT);
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
function number(index: number | undefined): string {
  return `${(index ?? 0) + 1}`;
}
