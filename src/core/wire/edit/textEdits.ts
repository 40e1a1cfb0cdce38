import { type NodeWriter, stringifyLike, stringifyStringLike, valueSplices } from '../../json/editJson';
import type { Json } from '../../json/json';
import { type JsonPath, nodeAt } from '../../json/jsonPath';
import { readJson } from '../../json/readJson';
import type { ProtocolId } from '../../model/interaction';
import type { Span } from '../../text/source';
import type { Splice } from '../../text/splice';
import { rewritePieces } from '../../text/splicesBetween';
import type { Frame } from '../body/frames';
import type { PieceSite, Protocol, StreamEvent, TextSite } from '../protocol';
import { framesOfArray, toStreamEvents } from '../read/readResponse';
import { protocolById } from '../registry';

/** Replaces the text of a response of this protocol, which is `content` now. */
interface ResponseTextEdit {
  readonly api: ProtocolId;
  readonly content: string;
  readonly text: string;
}

/** A new value for a place inside a JSON value. */
export interface JsonEdit {
  readonly path: JsonPath;
  readonly value: Json;
}

/** The edits of a response, whether it is one JSON value or a stream. */
export interface ResponseEditor {
  inJson(json: Json): readonly JsonEdit[];
  /** One list per frame. */
  inFrames(frames: readonly Frame[]): readonly (readonly JsonEdit[])[];
}

export function textEditor(edit: ResponseTextEdit): ResponseEditor {
  return { inJson: (json) => textEditsInJson(json, edit), inFrames: (frames) => textEditsInFrames(frames, edit) };
}

/** The edits of an unstreamed response. An array may be a stream that came as one JSON value, such as Gemini's. */
export function textEditsInJson(json: Json, edit: ResponseTextEdit): readonly JsonEdit[] {
  const protocol = protocolById(edit.api);
  const frames = protocol?.isResponse(json) ? undefined : framesOfArray(json);
  if (frames === undefined) return editOccurrence(protocol?.textSites?.(json) ?? [], edit).map(toJsonEdit);
  return textEditsInFrames(frames, edit).flatMap((edits, index) =>
    edits.map(({ path, value }) => ({ path: [index, ...path], value })),
  );
}

/** The edits of each frame of a stream, in every occurrence of the text. */
function textEditsInFrames(frames: readonly Frame[], edit: ResponseTextEdit): readonly (readonly JsonEdit[])[] {
  const protocol = protocolById(edit.api);
  const edits = frames.map((): JsonEdit[] => []);
  const sites = protocol === undefined ? [] : streamSites(protocol, toStreamEvents(frames));
  for (const occurrence of new Set(sites.map((site) => site.occurrence))) {
    const pieces = sites.filter((site) => site.occurrence === occurrence);
    for (const site of editOccurrence(pieces, edit)) edits[site.frame]?.push(toJsonEdit(site));
  }
  if (edits.some((inFrame) => inFrame.length > 0)) return edits;
  // A frame may hold an entire unstreamed response.
  return frames.map(({ json }) =>
    json === undefined ? [] : editOccurrence(protocol?.textSites?.(json) ?? [], edit).map(toJsonEdit),
  );
}

interface StreamSite extends PieceSite {
  readonly frame: number;
}

/** The text sites of all events, in the order of the text. */
function streamSites(protocol: Protocol, events: readonly StreamEvent[]): StreamSite[] {
  const read = protocol.streamTextSites?.(events) ?? (() => []);
  const sites = events.flatMap((event, frame) => read(event, frame).map((site) => ({ ...site, frame })));
  const segments = [...new Set(sites.map(({ segment }) => segment))];
  const order = new Map(segments.map((segment, index) => [segment, index]));
  return sites.sort((left, right) => (order.get(left.segment) ?? 0) - (order.get(right.segment) ?? 0));
}

/** The sites of one occurrence whose strings change; none if the occurrence is not the text to be replaced. */
function editOccurrence<T extends TextSite>(sites: readonly T[], { content, text }: ResponseTextEdit): T[] {
  const pieces = sites.map((site) => site.text);
  if (sites.length === 0 || pieces.join('') !== content) return [];
  const rewritten = rewritePieces(pieces, text);
  return sites.flatMap((site, index) => {
    const piece = rewritten[index] ?? '';
    return piece === site.text ? [] : [{ ...site, text: piece }];
  });
}

function toJsonEdit({ path, text }: TextSite): JsonEdit {
  return { path, value: text };
}

/**
 * Splices that edit values of a JSON text and keep its layout. In a text that is not JSON, or only a number or a
 * literal, an empty path means all of it.
 */
export function jsonTextSplices(text: string, edits: readonly JsonEdit[]): readonly Splice[] {
  if (edits.length === 0) return [];
  const { value: root } = readJson(text);
  return edits.flatMap(({ path, value }) => {
    const node = nodeAt(root, path);
    const isWord = path.length === 0 && (node?.type === 'number' || node?.type === 'literal');
    if (node !== undefined && !isWord) return [...valueSplices(node, value, writerOf(text))];
    return path.length === 0 ? [{ start: 0, end: text.length, text: String(value) }] : [];
  });
}

/** Writes values in the style of the text they replace. */
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
