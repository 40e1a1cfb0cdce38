import { type NodeWriter, stringifyLike, stringifyStringLike, valueSplices } from '../../json/editJson';
import type { Json } from '../../json/json';
import { type JsonPath, nodeAt } from '../../json/jsonPath';
import { readJson } from '../../json/readJson';
import type { ProtocolId } from '../../model/interaction';
import type { Span } from '../../text/source';
import type { Splice } from '../../text/splice';
import { rewritePieces } from '../../text/splicesBetween';
import type { Frame } from '../body/frames';
import type { TextSite } from '../protocol';
import { framesOfArray, toStreamEvents } from '../read/readResponse';
import { RESPONSE_TEXT_SITES, streamTextSites } from './protocolTextSites';

/** What is to be done: in an answer of this protocol, this text in place of that. */
export interface ResponseTextEdit {
  readonly api: ProtocolId;
  readonly content: string;
  readonly text: string;
}

/** A value inside a JSON value that becomes another one. */
export interface JsonEdit {
  readonly path: JsonPath;
  readonly value: Json;
}

/** What changes in an answer, whether it came in one piece or in frames. */
export interface ResponseEditor {
  inJson(json: Json): readonly JsonEdit[];
  /** A list for each frame. */
  inFrames(frames: readonly Frame[]): readonly (readonly JsonEdit[])[];
}

export function textEditor(change: ResponseTextEdit): ResponseEditor {
  return { inJson: (json) => textEditsInJson(json, change), inFrames: (frames) => textEditsInFrames(frames, change) };
}

/** The strings that change in an answer in one piece. Gemini's may be a list of what would be frames. */
export function textEditsInJson(json: Json, change: ResponseTextEdit): readonly JsonEdit[] {
  const listed = framesOfArray(json);
  if (listed === undefined || change.api === 'text-generation')
    return editOccurrence(RESPONSE_TEXT_SITES[change.api](json), change).map(toJsonEdit);
  return textEditsInFrames(listed, change).flatMap((changes, index) =>
    changes.map(({ path, value }) => ({ path: [index, ...path], value })),
  );
}

/** The strings that change in each frame of a stream, in all of the tellings that tell the text. */
export function textEditsInFrames(
  frames: readonly Frame[],
  change: ResponseTextEdit,
): readonly (readonly JsonEdit[])[] {
  const changes = frames.map((): JsonEdit[] => []);
  const sites = streamTextSites(change.api, toStreamEvents(frames));
  for (const telling of new Set(sites.map((site) => site.telling))) {
    const told = sites.filter((site) => site.telling === telling);
    for (const site of editOccurrence(told, change)) changes[site.frame]?.push(toJsonEdit(site));
  }
  if (changes.some((inFrame) => inFrame.length > 0)) return changes;
  // A frame may hold a whole answer.
  return frames.map(({ json }) =>
    json === undefined ? [] : editOccurrence(RESPONSE_TEXT_SITES[change.api](json), change).map(toJsonEdit),
  );
}

/** The sites of one telling that change. None where they do not tell the text that is to be changed. */
function editOccurrence<T extends TextSite>(sites: readonly T[], { content, text }: ResponseTextEdit): T[] {
  const pieces = sites.map((site) => site.text);
  if (sites.length === 0 || pieces.join('') !== content) return [];
  const changed = rewritePieces(pieces, text);
  return sites.flatMap((site, index) => {
    const piece = changed[index] ?? '';
    return piece === site.text ? [] : [{ ...site, text: piece }];
  });
}

function toJsonEdit({ path, text }: TextSite): JsonEdit {
  return { path, value: text };
}

/** Changes values in a text of JSON; everything else of it stays as it is. Without a path: all of a text that is none. */
export function jsonTextSplices(text: string, changes: readonly JsonEdit[]): readonly Splice[] {
  if (changes.length === 0) return [];
  const { value: root } = readJson(text);
  return changes.flatMap(({ path, value }) => {
    const node = nodeAt(root, path);
    if (node !== undefined) return [...valueSplices(node, value, writerOf(text))];
    return path.length === 0 ? [{ start: 0, end: text.length, text: String(value) }] : [];
  });
}

/** Writes in the manner of the text. */
function writerOf(text: string): NodeWriter {
  const source = ({ start, end }: Span): string => text.slice(start, end);
  return {
    string: (node, value) => [{ ...spanOf(node), text: stringifyStringLike(value, source(node)) }],
    value: (node, value) => stringifyLike(value, source(node)),
  };
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}
