import type { ChangeSet } from '../../core/model/change';
import type { Normaliser } from '../../core/review/compare/normaliser';
import { contentDigest } from '../recording/contentDigest';
import type { TwoSides } from './fileReview';

/** Bytes of the files whose comparisons are kept; an editor asks for the same ones again after every decision. */
const MOST_BYTES = 128e6;

type Compared = (ChangeSet & { readonly kind: 'tape' | 'baseline' }) | undefined;
type Compare = (path: string, sides: TwoSides, normaliser: Normaliser) => Compared;

interface Remembered {
  readonly compared: Compared;
  readonly bytes: number;
}

/** The same comparison, which of the same bytes is made once, as long as there is room for it. */
export function remembered(compare: Compare): Compare {
  const known = new Map<string, Remembered>();
  let kept = 0;
  const forget = (key: string): void => {
    kept -= known.get(key)?.bytes ?? 0;
    known.delete(key);
  };
  return (path, sides, normaliser) => {
    const key = [path, sidesStamp(sides), JSON.stringify(normaliser.rules, regExpText)].join('\0');
    const found = known.get(key) ?? { compared: compare(path, sides, normaliser), bytes: sizeOf(sides) };
    forget(key);
    known.set(key, found);
    kept += found.bytes;
    for (const oldest of known.keys()) {
      if (kept <= MOST_BYTES || oldest === key) break;
      forget(oldest);
    }
    return found.compared;
  };
}

/** Tells whether the two sides of a file are still those that were reviewed. */
export function sidesStamp({ before, after }: TwoSides): string {
  return [before, after].map(contentDigest).join('.');
}

function sizeOf({ before, after }: TwoSides): number {
  return (before?.length ?? 0) + (after?.length ?? 0);
}

function regExpText(_: string, value: unknown): unknown {
  return value instanceof RegExp ? String(value) : value;
}
