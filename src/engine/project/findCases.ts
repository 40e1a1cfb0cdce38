import { readFileSync } from 'node:fs';
import { looksLikeCase } from '../../core/cases/looksLikeCase';
import { walkFiles } from './walkFiles';

export interface FoundCases {
  /** Files that were named, in that order, and the cases of each folder that was named, sorted. No path twice. */
  readonly casePaths: readonly string[];
  /** Folders and files that could not be read, with the reason. */
  readonly notices: readonly string[];
}

/** The cases at absolute `paths`, files or folders. Throws a `UserError` for a path that is not there. */
export function findCases(paths: readonly string[]): FoundCases {
  const { paths: casePaths, notices } = walkFiles(paths, isCase, 'Name a case file, or a folder with cases.');
  return { casePaths, notices };
}

function isCase(path: string): boolean {
  return /\.toml$/i.test(path) && looksLikeCase(readFileSync(path, 'utf8'));
}
