/**
 * One JSON value a line: the framing of the engine's stdio. JSON escapes line breaks, so a line is a message. A `bigint`
 * goes as the nearest number, as every reader of JSON takes it.
 */
export function encodeLine(message: unknown): string {
  return `${JSON.stringify(message, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))}\n`;
}

/** Cuts a stream of text into lines, whatever the chunks it comes in. */
export class LineSplitter {
  #rest = '';

  /** The lines that `chunk` completes, without their ends; empty ones are dropped. */
  push(chunk: string): string[] {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.filter((line) => line.trim() !== '');
  }
}

/** The message of a line; undefined for a line that is not JSON, which is then not for us. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
