import { AppendedFile } from './changeFile';
import { placeInState } from './stateFolder';

/** Adds to a file of the journal that another process has left. */
export async function appendToJournal(root: string, name: string, text: string): Promise<void> {
  const file = AppendedFile.open(await placeInState(root, 'journal', name));
  try {
    file.append(text);
  } finally {
    file.close();
  }
}

/** Creates a private file in the journal of the project at `root`, which only grows. */
export async function createJournalFile(root: string, name: string): Promise<AppendedFile> {
  return AppendedFile.create(await placeInState(root, 'journal', name));
}
