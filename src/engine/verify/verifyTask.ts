import type { ReadingTask } from '../readers/reading';
import { type FileOutcome, FileVerifier, type VerifierOptions, type WantedFile } from './fileVerifier';

/** Verifies files in a thread. */
export const verifyTask: ReadingTask<VerifierOptions, WantedFile, FileOutcome> = {
  name: 'verify',
  open(options) {
    const verifier = new FileVerifier(options, process.env);
    return (file) => verifier.verify(file);
  },
};
