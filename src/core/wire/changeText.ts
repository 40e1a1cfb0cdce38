import type { Json } from '../json/json';
import { jsonChanges, type NodeWriter } from '../json/jsonChanges';
import { readJson } from '../json/jsonDocument';
import { type JsonPath, nodeAt } from '../json/jsonPath';
import { writeJsonString } from '../json/jsonScalar';
import { printLike } from '../json/printLike';
import { changePieces } from '../text/pieces';
import type { Span } from '../text/source';
import type { Splice } from '../text/splice';
import type { Frame } from './frames';
import { eventsOf, framesOfList } from './readAnswer';
import { streamTextSites } from './streamTextSites';
import type { TextSite } from './textSites';
import { WHOLE_TEXT_SITES } from './wholeTextSites';
import type { WireApi } from './wireApi';

/** What is to be done: in an answer of this protocol, this text in place of that. */
export interface TextChange {
  readonly api: WireApi;
  readonly content: string;
  readonly text: string;
}

/** A value inside a JSON value that becomes another one. */
export interface JsonChange {
  readonly path: JsonPath;
  readonly value: Json;
}

/** What changes in an answer, whether it came in one piece or in frames. */
export interface AnswerChanger {
  inJson(json: Json): readonly JsonChange[];
  /** A list for each frame. */
  inFrames(frames: readonly Frame[]): readonly (readonly JsonChange[])[];
}

export function textChanger(change: TextChange): AnswerChanger {
  return { inJson: (json) => changesInJson(json, change), inFrames: (frames) => changesInFrames(frames, change) };
}

/** The strings that change in an answer in one piece. Gemini's may be a list of what would be frames. */
export function changesInJson(json: Json, change: TextChange): readonly JsonChange[] {
  const listed = framesOfList(json);
  if (listed === undefined || change.api === 'text-generation')
    return changeTelling(WHOLE_TEXT_SITES[change.api](json), change).map(toChange);
  return changesInFrames(listed, change).flatMap((changes, index) =>
    changes.map(({ path, value }) => ({ path: [index, ...path], value })),
  );
}

/** The strings that change in each frame of a stream, in all of the tellings that tell the text. */
export function changesInFrames(frames: readonly Frame[], change: TextChange): readonly (readonly JsonChange[])[] {
  const changes = frames.map((): JsonChange[] => []);
  const sites = streamTextSites(change.api, eventsOf(frames));
  for (const telling of new Set(sites.map((site) => site.telling))) {
    const told = sites.filter((site) => site.telling === telling);
    for (const site of changeTelling(told, change)) changes[site.frame]?.push(toChange(site));
  }
  if (changes.some((inFrame) => inFrame.length > 0)) return changes;
  // A frame may hold a whole answer.
  return frames.map(({ json }) =>
    json === undefined ? [] : changeTelling(WHOLE_TEXT_SITES[change.api](json), change).map(toChange),
  );
}

/** The sites of one telling that change. None where they do not tell the text that is to be changed. */
function changeTelling<T extends TextSite>(sites: readonly T[], { content, text }: TextChange): T[] {
  const pieces = sites.map((site) => site.text);
  if (sites.length === 0 || pieces.join('') !== content) return [];
  const changed = changePieces(pieces, text);
  return sites.flatMap((site, index) => {
    const piece = changed[index] ?? '';
    return piece === site.text ? [] : [{ ...site, text: piece }];
  });
}

function toChange({ path, text }: TextSite): JsonChange {
  return { path, value: text };
}

/** Changes values in a text of JSON; everything else of it stays as it is. Without a path: all of a text that is none. */
export function jsonTextSplices(text: string, changes: readonly JsonChange[]): readonly Splice[] {
  if (changes.length === 0) return [];
  const { value: root } = readJson(text);
  return changes.flatMap(({ path, value }) => {
    const node = nodeAt(root, path);
    if (node !== undefined) return [...jsonChanges(node, value, writerOf(text))];
    return path.length === 0 ? [{ start: 0, end: text.length, text: String(value) }] : [];
  });
}

/** Writes in the manner of the text. */
function writerOf(text: string): NodeWriter {
  const source = ({ start, end }: Span): string => text.slice(start, end);
  return {
    string: (node, value) => [{ ...spanOf(node), text: writeJsonString(value, source(node)) }],
    value: (node, value) => printLike(value, source(node)),
  };
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}
