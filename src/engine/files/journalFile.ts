import { join } from 'node:path';
import { JOURNAL_FOLDER } from '../../core/project/layout';
import { AppendedFile } from './changeFile';
import { placeInProject } from './projectPaths';

/** Creates a private file in the journal of the project at `root`, which only grows. */
export async function createJournalFile(root: string, name: string): Promise<AppendedFile> {
  return AppendedFile.create(await placeInProject(root, join(root, JOURNAL_FOLDER, name)));
}
