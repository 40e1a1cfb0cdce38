import { shownPath } from '../files/projectPaths';
import type { Terminal } from './terminal';

/** What ends sooner says nothing. */
const SILENT_MS = 1000;
/** No reader sees more than ten lines in a second. */
const BETWEEN_MS = 100;

export interface Progress {
  /** The next of the files is begun. */
  step(path: string): void;
  end(): void;
}

/** Shows `verifying 12 of 80: tapes/a.json` on a terminal, for what takes longer than a second. */
export function showProgress(terminal: Terminal, doing: string, total: number): Progress {
  let number = 0;
  let next = performance.now() + SILENT_MS;
  return {
    step(path) {
      number += 1;
      const now = performance.now();
      if (now < next) return;
      next = now + BETWEEN_MS;
      terminal.progress(`${doing} ${number} of ${total}: ${shownPath(terminal.cwd, path)}`);
    },
    end: () => terminal.progress(''),
  };
}
