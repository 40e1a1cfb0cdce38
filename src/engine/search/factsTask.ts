import { join } from 'node:path';
import { LISTED_BYTES, LISTED_GZIP } from '../../core/bytes/fileLimits';
import type { PriceTable } from '../../core/prices/priceTable';
import { Sketcher } from '../../core/search/sketch';
import { type TapeFacts, tapeFacts } from '../../core/search/tapeFacts';
import { type TapeFile, tapeFileOf } from '../../core/tapes/tapeFile';
import { PatternTooSlow } from '../../core/text/patternMatch';
import { isSystemError, systemReason } from '../errors/systemError';
import { readContent } from '../files/readFile';
import type { FileToRead, Read, ReadingTask } from '../readers/reading';
import { Recorder, type SecretSources } from '../recording/recorder';

/** A file of a project. */
export interface ProjectFile extends FileToRead {
  /** From the project's root, with `/`. */
  readonly name: string;
}

export interface FactsSetup {
  readonly secrets: SecretSources;
  readonly prices: PriceTable | undefined;
}

/** The facts of a tape, none for any other file, or why the file cannot be searched. */
type FactsOutcome = { readonly facts?: TapeFacts } | { readonly reason: string };

/** Reads the facts of tapes, in a thread. */
export const factsTask: ReadingTask<FactsSetup, ProjectFile, FactsOutcome> = {
  name: 'facts',
  open: ({ secrets, prices }) => factsReader(new Recorder(secrets), prices),
};

/** The same in this thread. */
export function factsReader({ search }: Recorder, prices: PriceTable | undefined): Read<ProjectFile, FactsOutcome> {
  const sketcher = new Sketcher();
  return async (file) => {
    try {
      const facts = tapeFacts(await openTape(file), { prices, search, sketcher });
      return { facts };
    } catch (error) {
      if (isSystemError(error)) return { reason: systemReason(error) };
      if (error instanceof PatternTooSlow) return { reason: error.message };
      throw error;
    }
  };
}

/** The content of a file of a project. Rejects with the system's error. */
export async function openTape({ path, name }: ProjectFile): Promise<TapeFile> {
  return tapeFileOf(name, await readContent(path, LISTED_BYTES), LISTED_GZIP);
}

/** A file by its path from the root of its project. */
export function projectFile(root: string, name: string): ProjectFile {
  return { path: join(root, name), name };
}
