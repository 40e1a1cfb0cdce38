import type { Span } from '../text/source';
import { applySplices, type Splice } from '../text/splice';
import { BodyBudget } from '../wire/body/bodyBudget';
import { hideInBinary, wideRuns } from './binaryText';
import { byteDumps } from './byteDumps';
import { type DecodedText, decodeEntities, decodeEscapes, decodeUrlEncoded, urlEncodedWords } from './decodedText';
import { encodedRuns } from './encodedRuns';
import { INSIDE_BASE64_RANK } from './knownValues';
import { SearchedText } from './searchedText';
import { isReported, MASK, PLACEHOLDER, reportOrder, type SecretFinding, type SecretHit } from './secretHit';

/** A hit with the secret as it was found, decoded. Never shown or logged. */
export interface FoundSecret extends SecretHit {
  readonly secret: string;
}

/** What is written in place of a part of a text, and the secrets in that part. */
export interface Replacement extends Splice {
  readonly hits: readonly FoundSecret[];
  /** The part is encoded, and its new text contains what is not secret. */
  readonly isEncoded?: true;
  /** The part is encoded in a way that cannot be written, so that all of it is replaced. */
  readonly isLost?: true;
}

interface Search {
  readonly isUrl?: boolean | undefined;
  /** The levels of encoding around the text. */
  readonly depth?: number | undefined;
  /** What may be decompressed to search it. */
  readonly budget?: BodyBudget | undefined;
}

/** Levels of encoding that are searched, as of base64 in JSON in base64. */
const MAX_DEPTH = 4;
const MAX_ROUNDS = 5;

/** Looks for something in texts in every spelling: plain, escaped, percent-encoded, as in forms, in entities, in base64, in hexadecimal, as dumps of bytes, and in UTF-16. */
export abstract class SpellingSearch {
  /** Whether something is found in binary data only where that is searched as a whole, because it is not ASCII. */
  abstract readonly hasWideValues: boolean;

  /** Whether a string can be found that is not found in a text that contains it. */
  abstract readonly dependsOnWholeText: boolean;

  /** What a text contains as it is, in no order. */
  protected abstract plain(text: SearchedText, isUrl: boolean): SecretHit[];

  /** A text without its secrets. Hiding what is hidden changes nothing. */
  hide(text: string, isUrl = false): string {
    let hidden = text;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const replacements = this.replacements(hidden, { isUrl });
      if (replacements.length === 0) return hidden;
      hidden = applySplices(hidden, replacements);
    }
    return hidden;
  }

  /** The secrets in a text that are certain enough to be reported, in order. `budget` is of the file that it is in. */
  find(text: string, budget?: BodyBudget): SecretFinding[] {
    return this.replacements(text, { budget }).flatMap((one) => {
      const { start, end, hits, isEncoded } = one;
      const certain = hits.filter(isReported).sort(reportOrder);
      const kept = isEncoded ? certain : isContinuation(one) ? [] : certain.slice(0, 1);
      return kept.map(({ rule, what, excerpt, ...hit }) =>
        isEncoded
          ? { rule, what, excerpt, start, end, isEncoded }
          : { rule, what, excerpt, start: hit.start, end: hit.end },
      );
    });
  }

  /** The secrets that `find` reports, decoded. Never shown or logged. */
  secrets(text: string): FoundSecret[] {
    return this.replacements(text).flatMap(({ hits }) => hits.filter(({ isDoubtful }) => !isDoubtful));
  }

  /** What hides the secrets in a text, in order and without overlaps. */
  replacements(
    text: string,
    { isUrl = false, depth = 0, budget = new BodyBudget(text.length) }: Search = {},
  ): Replacement[] {
    const inner = { depth: depth + 1, budget };
    const searched = new SearchedText(text);
    const found: Replacement[] = this.plain(searched, isUrl).map((hit) => toReplacement(hit, text));
    if (depth < MAX_DEPTH) {
      for (const decoded of [decodeEscapes(text), decodeEntities(text)])
        if (decoded !== undefined) found.push(...this.#decoded(decoded, { ...inner, isUrl }));
      for (const word of urlEncodedWords(text))
        for (const decoded of decodeUrlEncoded(text.slice(word.start, word.end)))
          found.push(...this.#decoded(decoded, { ...inner, isUrl }).map((one) => moved(one, word.start)));
      found.push(...this.#encoded(searched, inner));
    }
    return found.length === 0 ? found : withoutOverlaps([...found, ...placeholders(text)]);
  }

  #decoded(decoded: DecodedText, search: Search): Replacement[] {
    return this.replacements(decoded.text, search).map((one) => {
      const span = decoded.source(one);
      // UTF-16 would need escapes of its own.
      const lost = one.text.includes('\0') && { text: MASK, isLost: true as const };
      return { ...one, ...lost, ...span, hits: one.hits.map((hit) => ({ ...hit, ...span })) };
    });
  }

  #encoded(searched: SearchedText, search: Search & { readonly budget: BodyBudget }): Replacement[] {
    const found: Replacement[] = [];
    for (const runs of [encodedRuns(searched, search.budget), byteDumps(searched.text), wideRuns(searched.text)])
      for (const { start, end, content } of runs) {
        const hidden = 'bytes' in content ? this.#inBytes(content, search) : this.#inPacked(content, search);
        if (hidden !== undefined) found.push({ start, end, isEncoded: true, ...hidden });
      }
    return found;
  }

  #inPacked(
    content: { readonly text: string; repack(text: string): string | undefined },
    search: Search,
  ): Pick<Replacement, 'text' | 'hits' | 'isLost'> | undefined {
    const inside = this.replacements(content.text, search);
    if (inside.length === 0) return undefined;
    const text = content.repack(applySplices(content.text, inside));
    const isLost = text === undefined || inside.some((one) => one.isLost);
    return { text: text ?? MASK, hits: inside.flatMap(({ hits }) => hits), ...(isLost && { isLost }) };
  }

  #inBytes(
    { bytes, repack }: { readonly bytes: Uint8Array; repack(bytes: Uint8Array): string },
    search: Search,
  ): Pick<Replacement, 'text' | 'hits'> | undefined {
    const hits: FoundSecret[] = [];
    const clean = hideInBinary(
      bytes,
      (text) => {
        const inside = this.replacements(text, search);
        hits.push(...inside.flatMap((one) => one.hits));
        return applySplices(text, inside);
      },
      this.hasWideValues,
    );
    return clean === bytes ? undefined : { text: repack(clean), hits };
  }
}

/** Whether a stretch as a whole is a further part of the secret before it, whatever else it resembles. */
function isContinuation({ start, end, hits }: Replacement): boolean {
  return hits.some(
    (hit) =>
      hit.isContinued === true &&
      hit.start === start &&
      hit.end === end &&
      !hits.some((other) => other.rule === hit.rule && isReported(other)),
  );
}

function toReplacement(hit: SecretHit, text: string): Replacement {
  const { start, end, placeholder } = hit;
  return { start, end, text: placeholder, hits: [{ ...hit, secret: text.slice(start, end) }] };
}

function moved(one: Replacement, by: number): Replacement {
  const shift = <T extends Span>(span: T): T => ({ ...span, start: span.start + by, end: span.end + by });
  return { ...shift(one), hits: one.hits.map(shift) };
}

/** The placeholders in a text, which are never hidden in part. */
function placeholders(text: string): Replacement[] {
  if (!text.includes('[redacted')) return [];
  return Array.from(text.matchAll(PLACEHOLDER), ({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
    text: match,
    hits: [],
  }));
}

/** Merges replacements that overlap into one of their whole range. What is a placeholder already is left out. */
function withoutOverlaps(found: readonly Replacement[]): Replacement[] {
  const ordered = [...found].sort((left, right) => left.start - right.start || right.end - left.end);
  const merged: Replacement[] = [];
  for (const next of ordered) {
    const last = merged.at(-1);
    if (last === undefined || next.start >= last.end) merged.push(next);
    else merged[merged.length - 1] = union(last, next);
  }
  const existing = new Set(found.flatMap(({ start, end, hits }) => (hits.length === 0 ? [`${start}:${end}`] : [])));
  return merged.filter(({ start, end }) => !existing.has(`${start}:${end}`));
}

function union(one: Replacement, other: Replacement): Replacement {
  const span = { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
  const hits = [...one.hits, ...other.hits];
  for (const [encoded, inside] of [
    [one, other],
    [other, one],
  ] as const) {
    const isWhole = encoded.start === span.start && encoded.end === span.end;
    if (encoded.isEncoded && isWhole && inside.hits.every(({ rank }) => rank >= INSIDE_BASE64_RANK))
      return { ...encoded, hits };
  }
  const [first] = hits.toSorted((left, right) => left.rank - right.rank);
  return { ...span, text: first?.placeholder ?? MASK, hits };
}
