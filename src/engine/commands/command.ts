import type { Terminal } from '../terminal/terminal';

/** One option of a command, for the help and the parser. */
export interface OptionSpec {
  readonly about: string;
  /** The name of its value in the help; absent for a switch. */
  readonly value?: string;
  /** One letter: `n` for `-n`. */
  readonly short?: string;
  readonly choices?: readonly string[];
  readonly multiple?: true;
}

export interface CliCommand {
  readonly name: string;
  /** The rest of the usage line, after the name. */
  readonly usage: string;
  readonly about: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Text below the options: the output, exit codes. */
  readonly details?: string;
  readonly examples: readonly string[];
  /** Resolves with the exit code. */
  run(args: Arguments, terminal: Terminal): Promise<number>;
}

/** The parsed arguments of one command. */
export interface Arguments {
  readonly positionals: readonly string[];
  has(option: string): boolean;
  /** The last value of an option. */
  text(option: string): string | undefined;
  /** Every value of an option. */
  texts(option: string): readonly string[];
}

/** Throws for words that a command has no use for. */
export function refuseArguments([first]: readonly string[]): void {
  if (first !== undefined) throw new UsageError(`\`${first}\` is not an argument of this command`);
}

/** An invalid command line. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'UsageError';
  }
}
