import { layoutsStamp } from '../tapes/declaredLayouts';

/** A text that changes whenever a file is written. VS Code reports only whole milliseconds. */
export function fileStamp(size: number, changedAtMs: number): string {
  return `${size} ${Math.floor(changedAtMs)}`;
}

/**
 * What the listing of a tape depends on: the file, what is searched for in it, whether something says that it is a tape, and
 * the layouts that projects declare.
 */
export function listingStamp(file: string, secrets: string, isExpected: boolean | undefined): string {
  return [file, secrets, isExpected === true ? 'expected' : '', layoutsStamp()].filter(Boolean).join(' ');
}
