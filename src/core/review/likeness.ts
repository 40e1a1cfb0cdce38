import { sha256Hex } from '../hash/digest';
import { MASK_PRESETS } from '../match/maskPresets';
import { applyMasks } from '../match/masks';
import type { Change, ChangeLikeness } from '../model/change';

/** Longer texts are alike only if they are equal. */
const MAX_MASKED = 200_000;
const MAX_WORDS = 80;

/**
 * Recognises the same change in other files: the same kind of place, and the same words replaced by the same ones, or by others of
 * the same shape, such as another date. Undefined for a whole file, which is like no other.
 */
export function likenessOf(change: Change): ChangeLikeness | undefined {
  const { kind, subject, place, before, after, recording } = change;
  if (recording !== undefined || (subject === 'file' && place.path.length === 0)) return undefined;
  const names = place.path.filter((key) => typeof key === 'string');
  const words = replacedWords(before, after);
  const preset = presetOf(before, after);
  const difference = preset === undefined ? [words.before, words.after] : [preset];
  const key = sha256Hex(JSON.stringify([kind, subject, names, ...difference]));
  const short = { before: shortened(words.before), after: shortened(words.after) };
  return { key, ...short, preset };
}

/** Two texts without their common prefix and suffix, in whole words. */
export function replacedWords(before: string, after: string): { readonly before: string; readonly after: string } {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  if (isInWord(before[start]) || isInWord(after[start])) while (start > 0 && isInWord(before[start - 1])) start -= 1;
  if (isInWord(before.at(-1 - end)) || isInWord(after.at(-1 - end)))
    while (end > 0 && isInWord(before.at(-end))) end -= 1;
  return { before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) };
}

function isInWord(character: string | undefined): boolean {
  return character !== undefined && /[^\s"'`()[\]{}<>,;]/.test(character);
}

/** The preset under which two texts are equal. */
function presetOf(before: string, after: string): string | undefined {
  if (before === after || before.length + after.length > MAX_MASKED) return undefined;
  const masked = (text: string, preset: (typeof MASK_PRESETS)[number]) =>
    applyMasks(text, [{ type: 'preset', preset }]);
  return MASK_PRESETS.find((preset) => masked(before, preset) === masked(after, preset))?.name;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_WORDS ? line : `${line.slice(0, MAX_WORDS)}…`;
}
