import type { Interaction } from '../model/interaction';
import { readOnlyReason } from '../tapes/edits/editTape';
import { detectFormat } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import { escapeInvisible } from '../text/escapeInvisible';
import { t } from '../text/l10n';
import { applySplices } from '../text/splice';
import { decodeBody } from '../wire/body/body';
import { reasoningPartsOf } from '../wire/edit/responseEdit';
import { redactTape } from './redactTape';

/** The changes that hiding a value would make, without the value. Plain data, sent to the webview as it is. */
export interface RedactionPlan {
  readonly placeholder: string;
  /** The number of places where the placeholder would be. */
  readonly count: number;
  /** The first of these places. */
  readonly places: readonly RedactionPlace[];
  /** The number of interactions with such a place. */
  readonly interactions: number;
  /** Other values that would change, such as `content-length`. */
  readonly dependents: readonly string[];
}

export interface RedactionPlace {
  /** From 0; null outside interactions, as in the name of the tape. */
  readonly interaction: number | null;
  /** In the text of the file, or in encoded, compressed or streamed data. */
  readonly where: 'text' | 'packed';
  /** The text around it, on one line, with values replaced. */
  readonly before: string;
  readonly after: string;
}

/** Places that are listed. */
const MAX_SHOWN = 200;
/** UTF-16 units of text on each side. */
const EXCERPT_MARGIN = 28;

/** Plans hiding a value, or gives the reason why it cannot be hidden, as a sentence. */
export function planRedaction(file: TapeFile, value: string): RedactionPlan | { readonly refused: string } {
  const format = detectFormat(file);
  const reason = format && readOnlyReason(format);
  if (reason !== undefined) return { refused: reason };
  const outcome = redactTape(file, [value]);
  if ('refused' in outcome) return outcome;
  const [substitute] = outcome.substitutes;
  if (outcome.splices.length === 0 || substitute === undefined || format === undefined)
    return { refused: t('This value is not on the tape.') };
  const { placeholder } = substitute;
  const { bytes: _, ...others } = file;
  const text = applySplices(file.text, outcome.splices);
  const { interactions } = format.read({ ...others, text, bytes: new Uint8Array() });
  // The placeholder is a new word, so each of its places is a place of the value.
  const all = [...placesInText(text, placeholder, interactions), ...placesInPacked(placeholder, interactions)];
  const places = all.sort((left, right) => orderOf(left) - orderOf(right));
  return {
    placeholder,
    // Data that is encoded twice is not searched.
    count: Math.max(places.length, 1),
    places: places.slice(0, MAX_SHOWN),
    interactions: new Set(places.flatMap(({ interaction }) => interaction ?? [])).size,
    dependents: outcome.dependents,
  };
}

function orderOf({ interaction }: RedactionPlace): number {
  return interaction ?? -1;
}

function placesInText(text: string, placeholder: string, interactions: readonly Interaction[]): RedactionPlace[] {
  let next = 0;
  return occurrences(text, placeholder).map((at) => {
    while ((interactions[next]?.source.start ?? text.length) <= at) next += 1;
    // Interactions may be nested, such as a tool's response in its session.
    const own = interactions.slice(0, next).findLast(({ source }) => at < source.end);
    return { interaction: own?.index ?? null, where: 'text', ...around(text, at, placeholder) };
  });
}

/** The places in encoded, compressed or streamed data. */
function placesInPacked(placeholder: string, interactions: readonly Interaction[]): RedactionPlace[] {
  return interactions.flatMap((interaction) =>
    packedTexts(interaction, placeholder).flatMap((text) =>
      occurrences(text, placeholder).map(
        (at): RedactionPlace => ({ interaction: interaction.index, where: 'packed', ...around(text, at, placeholder) }),
      ),
    ),
  );
}

/** The decoded bodies, and streamed texts whose chunks do not contain the placeholder. */
function packedTexts({ http, response }: Interaction, placeholder: string): string[] {
  if (http === undefined) return [];
  const bodies = [
    decodeBody(http.requestBody, http.requestHeaders),
    decodeBody(http.responseBody, http.responseHeaders),
  ];
  const packed = bodies.flatMap(({ decodedFrom, text }) => (decodedFrom.length > 0 && text ? [text] : []));
  if (bodies[1]?.text?.includes(placeholder)) return packed;
  const calls = (response?.toolCalls ?? []).map(({ argumentsText }) => argumentsText);
  const thoughts = response === undefined ? [] : reasoningPartsOf(response).map(({ text }) => text);
  return [...packed, ...[response?.content, ...calls, ...thoughts].flatMap((text) => text ?? [])];
}

function occurrences(text: string, word: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) found.push(at);
  return found;
}

function around(text: string, at: number, placeholder: string): Pick<RedactionPlace, 'before' | 'after'> {
  const end = at + placeholder.length;
  const before = text.slice(Math.max(0, at - EXCERPT_MARGIN), at);
  const after = text.slice(end, end + EXCERPT_MARGIN);
  const line = before.slice(before.lastIndexOf('\n') + 1).trimStart();
  const [rest = ''] = after.split('\n', 1);
  return {
    before: (line.length < EXCERPT_MARGIN ? '' : '…') + oneLine(line),
    after: oneLine(rest) + (rest.length < EXCERPT_MARGIN ? '' : '…'),
  };
}

function oneLine(text: string): string {
  return escapeInvisible(text).replace(/\s+/g, ' ');
}
