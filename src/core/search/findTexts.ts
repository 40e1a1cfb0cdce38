import type { Excerpt } from '../model/found';
import type { TapeFormat } from '../tapes/format';
import type { TapeFile } from '../tapes/tapeFile';
import { queryPattern, searchedParts } from '../transcript/searchTranscript';
import { TranscriptReader } from '../transcript/transcriptReader';
import { plainPatterns } from './plainWords';

/** An interaction that was found, with what stands around the first text that was searched for. */
export interface TextHit {
  /** From 0. */
  readonly interaction: number;
  /** Absent if it would show a secret. */
  readonly excerpt?: Excerpt;
}

interface TextSearch {
  /** All of them have to be in an interaction. */
  readonly texts: readonly string[];
  /** The interactions that are looked at, from 0. */
  readonly candidates: readonly number[];
  readonly most: number;
  /** The words of the tape are in the text of its file as they are. */
  readonly isPlain: boolean;
  /** Hides the secrets in a text, of which excerpts are shown. */
  hide(text: string): string;
  /** Secrets are hidden in this much text around a match before it is cut: a part of a secret could not be recognised. */
  readonly around: number;
}

/** The interactions of a tape that have all these texts. */
export function findTexts(file: TapeFile, format: TapeFormat, search: TextSearch): readonly TextHit[] {
  const { texts, candidates, most, isPlain } = search;
  if (isPlain && !texts.flatMap(plainPatterns).every((pattern) => pattern.test(file.text))) return [];
  const reader = new TranscriptReader(format.read(file), file, format, {}, true);
  const patterns = texts.flatMap((text) => queryPattern(text) ?? []);
  const [first] = patterns;
  const hits: TextHit[] = [];
  if (first === undefined) return hits;
  while (reader.advance());
  for (const interaction of candidates) {
    if (hits.length >= most) break;
    const body = reader.body(interaction);
    const parts = body === undefined ? [] : searchedParts(body).map(({ text }) => text);
    if (!patterns.every((pattern) => parts.some((text) => found(pattern, text) !== undefined))) continue;
    const excerpt = excerptOf(parts, first, search);
    hits.push({ interaction, excerpt });
  }
  return hits;
}

function found(pattern: RegExp, text: string): RegExpExecArray | undefined {
  pattern.lastIndex = 0;
  return pattern.exec(text) ?? undefined;
}

/** How much is shown of what stands before and after a match, in UTF-16 units. */
const [BEFORE, AFTER] = [30, 90];
const LONGEST_MATCH = 80;

function excerptOf(parts: readonly string[], pattern: RegExp, { hide, around }: TextSearch): Excerpt | undefined {
  for (const part of parts) {
    const place = found(pattern, part)?.index;
    if (place === undefined) continue;
    const text = hide(part.slice(Math.max(0, place - around), place + around));
    const match = found(pattern, text);
    return match && cut(text, match.index, match.index + Math.min(match[0].length, LONGEST_MATCH));
  }
  return undefined;
}

function cut(text: string, start: number, end: number): Excerpt {
  const from = Math.max(0, start - BEFORE);
  const before = oneLine((from > 0 ? '…' : '') + text.slice(from, start)).trimStart();
  const middle = oneLine(text.slice(start, end));
  const after = oneLine(text.slice(end, end + AFTER) + (end + AFTER < text.length ? '…' : '')).trimEnd();
  return { text: before + middle + after, start: before.length, end: before.length + middle.length };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
