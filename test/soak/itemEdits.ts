import { isRecord, type Json } from '../../src/core/json/json';
import { MASK_PRESETS } from '../../src/core/match/maskPresets';
import type { HttpExchange } from '../../src/core/model/http';
import type { Interaction } from '../../src/core/model/interaction';
import type { Tape } from '../../src/core/model/tape';
import { literalPattern } from '../../src/core/text/pattern';
import type { Random } from './random';

/** What an edit changes in one interaction, by the subjects of the review. */
export type EditSubject = 'text' | 'reasoning' | 'tool result' | 'arguments' | 'tool' | 'model' | 'usage' | 'noise';

/** The text of an interaction with one edit, made in the raw file: the reader alone says what it means. */
export interface EditedItem {
  readonly subject: EditSubject;
  readonly text: string;
}

/** Reads a tape that has this text for its only interaction. */
export type ReadItem = (text: string) => Tape;

const MOST_TRIES = 12;

/** Makes one edit of this subject in the raw text, if there is a place where it changes that and nothing else. */
export function editItem(text: string, subject: EditSubject, read: ReadItem, random: Random): EditedItem | undefined {
  const before = read(text).interactions[0];
  if (before === undefined) return undefined;
  if (subject === 'noise') return noise(text, before, read, random);
  const targets = shuffled(targetsOf(before, subject), random).slice(0, 4);
  for (const { needle, replacement, path } of targets)
    for (const changed of replacements(text, needle, replacement, random)) {
      const [edited, ...more] = read(changed).interactions;
      if (more.length > 0 || edited === undefined) continue;
      const paths = differingPaths(modelOf(before), modelOf(edited));
      // The name of a member that a reader knows is no text: without it, the reader finds nothing.
      const isRead = paths.some((one) => leafAt(modelOf(edited), one).includes(replacement));
      const isMeant = isRead && paths.every((one) => path.test(one)) && paths.some((one) => one !== 'http.url');
      if (isMeant && meaning(before) !== meaning(edited)) {
        return { subject: subject === 'text' ? textSubject(before, paths[0] ?? '') : subject, text: changed };
      }
    }
  return undefined;
}

interface Target {
  readonly needle: string;
  readonly replacement: string;
  /** Every place that differs afterwards must be one of these. */
  readonly path: RegExp;
}

function targetsOf(interaction: Interaction, subject: Exclude<EditSubject, 'noise'>): Target[] {
  const { request, response } = interaction;
  if (subject === 'model') {
    const model = request?.model ?? response?.model;
    return model
      ? [{ needle: model, replacement: `${model}-next`, path: /^(?:(?:request|response)\.model|http\.url)$/ }]
      : [];
  }
  if (subject === 'usage') {
    return Object.entries(response?.usage ?? {})
      .filter(([, count]) => typeof count === 'number' && count > 9)
      .map(([, count]) => ({ needle: `${count}`, replacement: `${Number(count) + 7}`, path: /^response\.usage\./ }));
  }
  const calls = response?.toolCalls ?? [];
  if (subject === 'tool')
    return calls.map(({ name }, index) => ({
      needle: name,
      replacement: `${name}_swapped`,
      path: new RegExp(`^response\\.toolCalls\\.${index}\\.name$`),
    }));
  if (subject === 'arguments')
    return calls.flatMap((call, index) =>
      leafTexts(call.arguments).map((leaf) => ({
        needle: leaf,
        replacement: /^\d+$/.test(leaf) ? `${leaf}1` : `${leaf}Edited`,
        path: new RegExp(`^response\\.toolCalls\\.${index}\\.arguments(?:Text)?(?:$|\\.)`),
      })),
    );
  const texts = [
    ...words(response?.content).map((needle) => ({ needle, path: /^response\.(?:content$|parts\.\d+\.text$)/ })),
    ...(request?.messages ?? []).flatMap(({ content }, index) =>
      words(content).map((needle) => ({
        needle,
        path: new RegExp(`^request\\.messages\\.${index}\\.(?:content$|parts\\.\\d+\\.text$)`),
      })),
    ),
  ];
  return texts.map(({ needle, path }) => ({ needle, path, replacement: `${needle}Edited${needle.length}` }));
}

/** What the text at a path is of. */
function textSubject({ request, response }: Interaction, path: string): EditSubject {
  const keys = path.split('.');
  const message = keys[0] === 'response' ? response : request?.messages[Number(keys[2])];
  const at = keys.indexOf('parts');
  if (at !== -1 && message?.parts?.[Number(keys[at + 1])]?.type === 'reasoning') return 'reasoning';
  return keys[0] === 'request' && request?.messages[Number(keys[2])]?.role === 'tool' ? 'tool result' : 'text';
}

/** Words that no other place is likely to have. */
function words(text: string | null | undefined): string[] {
  return [...new Set((text ?? '').match(/[A-Za-z]{5,14}/g) ?? [])].slice(0, 12);
}

function leafTexts(value: Json): string[] {
  if (typeof value === 'string') return /^[\w .,-]{2,40}$/.test(value) ? [value] : words(value);
  if (typeof value === 'number' && Number.isInteger(value)) return [`${value}`];
  if (Array.isArray(value)) return value.flatMap(leafTexts);
  return isRecord(value) ? Object.values(value).flatMap(leafTexts) : [];
}

/** The text with one of the occurrences replaced, or all of them. */
function* replacements(text: string, needle: string, replacement: string, random: Random): Generator<string> {
  const places: number[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length))
    if (!isWithinNumber(text, at, needle)) places.push(at);
  for (const place of shuffled(places, random).slice(0, MOST_TRIES))
    yield text.slice(0, place) + replacement + text.slice(place + needle.length);
  if (places.length > 1)
    yield places.reduceRight((all, at) => all.slice(0, at) + replacement + all.slice(at + needle.length), text);
}

/** Digits of a longer number, as in a vector, are not the count that is looked for. */
function isWithinNumber(text: string, at: number, needle: string): boolean {
  if (!/^\d+$/.test(needle)) return false;
  return /[\d.]/.test(text[at - 1] ?? '') || /\d/.test(text[at + needle.length] ?? '');
}

/** Right before a value: the name of a member that is known to be new in every recording, however its file quotes it. */
const VOLATILE_MEMBER =
  /(?:[^\w-](?:id|created|created_at|createTime|responseId)|[-_]request[-_]id|request_id)[\\"']*\s*:\s*[\\"']*$/;

/** Another value for something that is different in every recording: what counts is that the reader still reads it. */
function noise(text: string, before: Interaction, read: ReadItem, random: Random): EditedItem | undefined {
  const found = MASK_PRESETS.filter(({ name }) => ['provider-id', 'uuid', 'timestamp'].includes(name)).flatMap(
    ({ patterns }) => patterns.flatMap(([pattern]) => [...text.matchAll(pattern)].map(([match]) => match)),
  );
  for (const value of shuffled([...new Set(found)], random).slice(0, MOST_TRIES)) {
    const other = value.replace(/\d(?=\D*$)/, (digit) => `${(Number(digit) + 1) % 10}`);
    const changed = text.replaceAll(value, () => other);
    const after = read(changed).interactions;
    const places = [...text.matchAll(literalPattern([value], 'g'))].map(({ index }) =>
      text.slice(Math.max(0, index - 60), index),
    );
    if (!places.every((before) => VOLATILE_MEMBER.test(before))) continue;
    if (other === value || after.length !== 1 || after[0]?.kind !== before.kind) continue;
    return { subject: 'noise', text: changed };
  }
  return undefined;
}

/** What the model has of an interaction; how it is stored, where, and when is left out. */
export function modelOf({ kind, request, response, http }: Interaction): unknown {
  const { chunks: _, ...answer } = response ?? {};
  return { kind, request, response: response && answer, http: http && wireOf(http, Boolean(request ?? response)) };
}

/** All that an interaction has to tell it from another, without what is new in every recording. */
export function meaning(interaction: Interaction): string {
  const patterns = MASK_PRESETS.filter(({ name }) => name !== 'date').flatMap((preset) => preset.patterns);
  return patterns.reduce(
    (said, [pattern]) => said.replace(pattern, ''),
    plainText([interaction.id, modelOf(interaction)]),
  );
}

export function plainText(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}` : (item ?? '')));
}

/** Bodies that were read count by what was read of them. */
function wireOf({ method, url, status, requestBody, responseBody }: HttpExchange, isRead: boolean): object {
  return isRead ? { method, url, status } : { method, url, status, requestBody, responseBody };
}

/** The paths of the leaves that are not the same in both. */
export function differingPaths(before: unknown, after: unknown, path: readonly string[] = []): string[] {
  if (isTree(before) && isTree(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      differingPaths(Reflect.get(before, key), Reflect.get(after, key), [...path, key]),
    );
  }
  return Object.is(before, after) ? [] : [path.join('.')];
}

function leafAt(tree: unknown, path: string): string {
  const leaf = path.split('.').reduce<unknown>((at, key) => (isTree(at) ? Reflect.get(at, key) : undefined), tree);
  return String(leaf ?? '');
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, order: random.next() }))
    .sort((left, right) => left.order - right.order)
    .map(({ item }) => item);
}
