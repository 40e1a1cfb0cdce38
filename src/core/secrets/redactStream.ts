import type { Json } from '../json/json';
import type { HttpBody, HttpHeader } from '../model/http';
import type { Frame } from '../wire/body/frames';
import { joinableStrings, type StringSite } from '../wire/body/joinedStrings';
import { editBody } from '../wire/edit/editBody';
import type { JsonEdit, ResponseEditor } from '../wire/edit/textEdits';
import { framesOfArray } from '../wire/read/readResponse';
import type { Replacement, SpellingSearch } from './spellingSearch';

/**
 * A body without the secrets that are spread over the frames of a stream, or over the items of a list: the strings that
 * may be pieces of one text are put together, searched, and changed in their pieces. The same object if there are none;
 * undefined if they cannot be written.
 */
export function redactStream(
  body: HttpBody,
  headers: readonly HttpHeader[],
  search: SpellingSearch,
): HttpBody | undefined {
  const editor = new StreamEditor(search);
  const edit = editBody(
    {
      method: 'GET',
      url: '',
      requestHeaders: [],
      requestBody: { type: 'none' },
      responseHeaders: headers,
      responseBody: body,
    },
    editor,
  );
  if ('refused' in edit) return editor.hasEdits ? undefined : body;
  return editor.hasEdits ? edit.body : body;
}

class StreamEditor implements ResponseEditor {
  hasEdits = false;

  constructor(private readonly search: SpellingSearch) {}

  inJson(json: Json): readonly JsonEdit[] {
    const frames = framesOfArray(json);
    if (frames === undefined || frames.length < 2) return [];
    return this.inFrames(frames).flatMap((edits, index) =>
      edits.map(({ path, value }) => ({ path: [index, ...path], value })),
    );
  }

  inFrames(frames: readonly Frame[]): readonly (readonly JsonEdit[])[] {
    const edits = frames.map((): JsonEdit[] => []);
    const changed = new Map<StringSite, string>();
    for (const sites of joinableStrings(frames)) {
      const pieces = sites.map((site) => changed.get(site) ?? site.text);
      const replacements = this.search.replacements(pieces.join(''));
      if (replacements.length === 0) continue;
      replaceInPieces(pieces, replacements).forEach((piece, index) => {
        const site = sites[index];
        if (site !== undefined && piece !== pieces[index]) changed.set(site, piece);
      });
    }
    for (const [{ frame, path }, value] of changed) edits[frame]?.push({ path, value });
    this.hasEdits ||= changed.size > 0;
    return edits;
  }
}

/** Replaces parts of a text that consists of pieces. The new text goes into the piece in which the part begins. */
export function replaceInPieces(pieces: readonly string[], replacements: readonly Replacement[]): string[] {
  let start = 0;
  let next = 0;
  return pieces.map((piece) => {
    const end = start + piece.length;
    const parts: string[] = [];
    let at = start;
    for (let one = replacements[next]; one !== undefined && one.start < end; one = replacements[next]) {
      if (one.start >= start) parts.push(piece.slice(at - start, one.start - start), one.text);
      at = Math.min(one.end, end);
      if (one.end > end) break;
      next += 1;
    }
    parts.push(piece.slice(at - start));
    start = end;
    return parts.join('');
  });
}
