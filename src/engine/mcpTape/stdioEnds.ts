import type { Readable, Writable } from 'node:stream';
import { type PipedProcess, startPiped } from '../process/pipedProcess';
import { lineReader } from './lines';

interface StdioEvents {
  clientLine(line: string): void;
  serverLine(line: string): void;
  /** The client has closed its end. */
  clientEnd(): void;
  /** The server has ended, or could not be started. */
  serverEnd(error: Error | undefined): void;
}

interface StdioEndsOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly events: StdioEvents;
}

/** The two ends of a connection over standard streams: the client, which started this process, and the server's process. */
export class StdioEnds {
  readonly #options: StdioEndsOptions;
  #server: PipedProcess | undefined;

  constructor(options: StdioEndsOptions) {
    this.#options = options;
    const { input, events } = options;
    input.on(
      'data',
      lineReader((line) => events.clientLine(line)),
    );
    let hasEnded = false;
    const end = (): void => {
      if (!hasEnded) events.clientEnd();
      hasEnded = true;
    };
    input.once('end', end);
    input.once('close', end);
    input.once('error', end);
  }

  startServer(): void {
    const { command, cwd, environment, events } = this.#options;
    this.#server ??= startPiped({
      command,
      cwd,
      environment,
      onOutput: lineReader((line) => events.serverLine(line)),
      onEnd: (error) => events.serverEnd(error),
    });
  }

  toClient(line: string): void {
    this.#options.output.write(`${line}\n`);
  }

  toServer(line: string): void {
    this.#server?.write(`${line}\n`);
  }

  async end(): Promise<void> {
    await this.#server?.end();
  }
}
