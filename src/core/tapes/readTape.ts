import { looksLikeJson } from '../json/jsonOutline';
import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { conflictIn, versionsOf } from '../text/mergeConflict';
import { wholeText } from '../text/textParts';
import { declaredFormat } from './declaredFormats';
import type { TapeFormat } from './format';
import { formats } from './registry';
import { type TapeFile, textParts, withText } from './tapeFile';
import { UNREADABLE } from './unreadable';

/**
 * The format of a file: one that its project declares for it, else by its content. Undefined when no format claims it. A tape with two
 * versions in it is not read as either.
 */
export function detectFormat(file: TapeFile): TapeFormat | undefined {
  if (UNREADABLE.looksLike(file)) return UNREADABLE;
  const parts = textParts(file);
  const format = formatOf(file);
  if (conflictIn(parts) === undefined || isRecorded(format, file)) return format;
  const wasTape = [format, ...versionsOf(wholeText(parts)).map((text) => formatOf(withText(file, text)))];
  return wasTape.some((one) => one !== undefined) ? UNREADABLE : undefined;
}

/** Whether the lines of a merge are content: records have any bytes, and say how many. */
function isRecorded(format: TapeFormat | undefined, file: TapeFile): boolean {
  return format?.syntax === 'records' && format.read(file).problems.length === 0;
}

function formatOf(file: TapeFile): TapeFormat | undefined {
  const declared = declaredFormat(file);
  if (declared !== undefined) return declared;
  const isJson = looksLikeJson(textParts(file));
  return formats.find(({ syntax, looksLike }) => mayHave(syntax, isJson) && looksLike(file));
}

function mayHave(syntax: TapeFormat['syntax'], isJson: boolean): boolean {
  return syntax === undefined || (syntax === 'json') === isJson;
}

/** Reads a tape of any format. Undefined for a file of no format. */
export function readTape(file: TapeFile): Tape | undefined {
  return detectFormat(file)?.read(file);
}

/**
 * The index of the interaction at an offset of the text, or of the last one that begins before it. Undefined before
 * the first, and where interactions have no position in the text.
 */
export function interactionAt(interactions: readonly Interaction[], offset: number): number | undefined {
  const covering = interactions.find(({ source: { start, end } }) => start <= offset && offset < end);
  const before = interactions.findLast(({ source: { start, end } }) => start <= offset && start < end);
  return (covering ?? before)?.index;
}
