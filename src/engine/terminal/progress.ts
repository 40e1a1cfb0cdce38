import { shownPath } from '../files/projectPaths';
import type { Terminal } from './terminal';

/** What ends sooner says nothing. */
const SILENT_MS = 1000;
/** No reader sees more than ten lines in a second. */
const BETWEEN_MS = 100;

/** The line of progress of something that may take long: silent for a second, then at most ten times in a second. */
export class ProgressLine {
  readonly #terminal: Pick<Terminal, 'progress'>;
  #next = performance.now() + SILENT_MS;
  #text = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Pick<Terminal, 'progress'>) {
    this.#terminal = terminal;
  }

  show(text: string): void {
    this.#text = text;
    const wait = this.#next - performance.now();
    if (wait <= 0) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), wait).unref();
  }

  /** Shows the line again, after something else was printed in its place. */
  again(): void {
    if (this.#text !== '') this.show(this.#text);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#text = '';
    this.#terminal.progress('');
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next = performance.now() + BETWEEN_MS;
    this.#terminal.progress(this.#text);
  }
}

interface FileProgress {
  /** The next of the files is begun. */
  step(path: string): void;
  end(): void;
}

/** Shows `verifying 12 of 80: tapes/a.json` on a terminal, for what takes longer than a second. */
export function showProgress(terminal: Terminal, doing: string, total: number): FileProgress {
  const line = new ProgressLine(terminal);
  let number = 0;
  return {
    step(path) {
      number += 1;
      line.show(`${doing} ${number} of ${total}: ${shownPath(terminal.cwd, path)}`);
    },
    end: () => line.end(),
  };
}
