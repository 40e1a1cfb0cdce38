import { type JsonStringNode, visitStrings } from '../json/jsonNode';
import { jsonValue } from '../json/readJson';
import type { HttpBody, HttpHeader } from '../model/http';
import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import type { DocumentRoot } from '../tapes/documents';
import { formatById } from '../tapes/registry';
import type { TapeFile } from '../tapes/tapeFile';
import type { Span } from '../text/source';
import { decodeBody } from '../wire/body/body';
import { BodyBudget } from '../wire/body/bodyBudget';
import { type Frame, parseFrames, readFrames } from '../wire/body/frames';
import { joinableStrings } from '../wire/body/joinedStrings';
import { framesOfArray } from '../wire/read/readResponse';
import { textsInBinary } from './binaryText';
import { looseStrings } from './looseStrings';
import { unpackString } from './packedString';

/** Where a text stands in the file of a tape, and in which form. */
export interface TextPlace extends Span {
  readonly where: 'text' | 'encoded' | 'stream' | 'interaction';
  /** From 0, if the place is an interaction. */
  readonly interaction?: number;
}

/** A tape that has been read. */
export interface ReadTape {
  readonly file: TapeFile;
  readonly tape: Tape;
  readonly roots: readonly DocumentRoot[];
}

/** Is given the texts of a tape in which a secret may be. */
export interface TextVisitor {
  /** The text of the file. */
  file(text: string): void;
  /** A text that is not in the text of the file as it is, such as a compressed body. */
  text(text: string, place: TextPlace): void;
  /** Strings that may be pieces of one text, such as those of a stream. */
  pieces(texts: readonly string[], place: TextPlace): void;
}

/** Visits everything that a tape says: its file, strings that are written in another way, bodies, and streams. */
export function visitTexts({ file, tape, roots }: ReadTape, visitor: TextVisitor): void {
  if (isBinary(file.text)) {
    for (const interaction of tape.interactions)
      visitor.text(interactionText(interaction), placeOf(interaction, 'interaction'));
  } else visitFileTexts({ file, roots }, visitor);
  for (const interaction of tape.interactions) visitExchange(interaction, visitor);
  if (formatById(tape.format).family === 'frames') {
    for (const { node, offset } of roots) {
      const place = { start: node.start + offset, end: node.end + offset, where: 'stream' as const };
      visitFrames(framesOfArray(jsonValue(node)) ?? [], place, visitor);
    }
  }
}

/** Visits what a file says that is text, whether a format knows it or not. */
export function visitFileTexts({ file, roots }: Omit<ReadTape, 'tape'>, visitor: TextVisitor): void {
  if (isBinary(file.text)) return;
  visitor.file(file.text);
  const budget = new BodyBudget(file.text.length);
  for (const { node, offset } of roots)
    visitStrings(node, (string) => visitString(string, { offset, budget }, visitor));
}

function placeOf({ source: { start, end }, index }: Interaction, where: TextPlace['where']): TextPlace {
  return { start, end, where, interaction: index };
}

/** The first bytes of gzip, as characters. */
const GZIP = '\u001f\u008b';

/** Visits a string whose text in the file is another one: escaped, folded over lines, or packed. */
function visitString(
  { value, start, end }: JsonStringNode,
  { offset, budget }: { readonly offset: number; readonly budget: BodyBudget },
  visitor: TextVisitor,
): void {
  const place = { start: start + offset, end: end + offset, where: 'encoded' as const };
  const length = end - start;
  if (length !== value.length && length !== value.length + 2) visitor.text(value, place);
  // Base64 has been searched where it stands, unless its lines are folded.
  if (!value.startsWith(GZIP) && !/^[A-Za-z0-9+/_-]+\r?\n/.test(value.slice(0, 200))) return;
  const packed = unpackString(value, budget);
  if (packed !== undefined) visitor.text(packed.text, place);
}

/** Visits bodies that are compressed, and streams. */
function visitExchange(interaction: Interaction, visitor: TextVisitor): void {
  const { http, response } = interaction;
  const inStream = placeOf(interaction, 'stream');
  if (http === undefined) {
    if (response?.chunks !== undefined) visitFrames(parseFrames(response.chunks).frames, inStream, visitor);
    return;
  }
  visitBody(http.requestBody, http.requestHeaders);
  visitBody(http.responseBody, http.responseHeaders);

  function visitBody(body: HttpBody, headers: readonly HttpHeader[]): void {
    if (body.type === 'none') return;
    const decoded = decodeBody(body, headers);
    const isCompressed = decoded.decodedFrom.some((layer) => layer !== 'base64');
    if (isCompressed)
      visitor.text(decoded.text ?? textsInBinary(decoded.bytes).join('\n'), placeOf(interaction, 'encoded'));
    const isList = body.type === 'json' || /^\s*\[/.test(decoded.text ?? '');
    const frames = readFrames(body, decoded)?.frames ?? framesOfArray(isList ? decoded.json : undefined);
    if (frames !== undefined) visitFrames(frames, inStream, visitor);
    else if (!decoded.isJson && decoded.text !== undefined) {
      for (const spans of looseStrings(decoded.text))
        visitor.pieces(
          spans.map(({ start, end }) => (decoded.text ?? '').slice(start, end)),
          inStream,
        );
    }
  }
}

function visitFrames(frames: readonly Frame[], place: TextPlace, visitor: TextVisitor): void {
  if (frames.length < 2) return;
  for (const sites of joinableStrings(frames))
    visitor.pieces(
      sites.map(({ text }) => text),
      place,
    );
}

/** The content of an interaction as one text. */
function interactionText({ request, response, http }: Interaction): string {
  return JSON.stringify([request, response, http], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

function isBinary(text: string): boolean {
  return text.slice(0, 65_536).includes('\0');
}
