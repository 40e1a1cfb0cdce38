import type { Terminal } from '../terminal/terminal';

/** One option of a command, as the help shows it and the parser takes it. */
export interface OptionSpec {
  readonly about: string;
  /** The name of its value in the help; without one the option is a switch. */
  readonly value?: string;
  /** One letter: `n` for `-n`. */
  readonly short?: string;
  readonly choices?: readonly string[];
  readonly multiple?: true;
}

export interface CliCommand {
  readonly name: string;
  /** What follows the name in the usage line. */
  readonly usage: string;
  readonly about: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Text below the options: what the output means, exit codes. */
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

/** The command line could not be understood. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'UsageError';
  }
}
