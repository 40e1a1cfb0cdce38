import type { Terminal } from '../terminal/terminal';

/** One option of a command, from which help, parser, and the type of its value derive. */
export interface OptionSpec<T = unknown> {
  readonly about: string;
  /** The name of its value in the help; absent for a switch. */
  readonly value?: string;
  /** One letter: `n` for `-n`. */
  readonly short?: string | undefined;
  readonly choices?: readonly string[];
  /** The value of the words that were given for `--name`, in their order: none if the option is absent. */
  read(words: readonly string[], name: string): T;
}

export type Options = Readonly<Record<string, OptionSpec>>;

/** The values of options. In a command line, the option `onDrift` is `--on-drift`. */
type Values<O extends Options> = { readonly [K in keyof O]: O[K] extends OptionSpec<infer T> ? T : never };

/** The parsed arguments of a command. */
export interface Arguments<O extends Options> {
  readonly positionals: readonly string[];
  readonly options: Values<O>;
}

/** The name of an option in a command line: `on-drift` for `onDrift`. */
export const optionName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The values of options, each from the words that were given for its name. */
export function readOptions<O extends Options>(options: O, wordsFor: (name: string) => readonly string[]): Values<O> {
  const values = Object.entries(options).map(([key, option]) => {
    const name = optionName(key);
    return [key, option.read(wordsFor(name), name)] as const;
  });
  return Object.fromEntries(values) as Values<O>;
}

/** The values where none of the options is given. */
export function noneOf<O extends Options>(options: O): Values<O> {
  return readOptions(options, () => []);
}

export const flag = (about: string, short?: string): OptionSpec<boolean> => ({
  about,
  short,
  read: (words) => words.length > 0,
});

export const JSON_OUTPUT = flag('Print the result as JSON');

/** The last value counts. */
export const text = (value: string, about: string, short?: string): OptionSpec<string | undefined> => ({
  about,
  value,
  short,
  read: (words) => words.at(-1),
});

/** An option that may be given more than once. */
export const texts = (value: string, about: string): OptionSpec<readonly string[]> => ({
  about,
  value,
  read: (words) => words,
});

export const choice = <const C extends string>(
  value: string,
  choices: readonly C[],
  about: string,
  short?: string,
): OptionSpec<C | undefined> => ({
  about,
  value,
  choices,
  short,
  read: (words) => choices.find((one) => one === words.at(-1)),
});

/** An option that is refused where it is repeated. */
export const once = <T>(option: OptionSpec<T>): OptionSpec<T> => ({
  ...option,
  read(words, name) {
    if (words.length > 1) throw new UsageError(`--${name} can be given only once`);
    return option.read(words, name);
  },
});

/** A whole number of 1 or more. */
export const count = (value: string, about: string, short?: string): OptionSpec<number | undefined> => ({
  about,
  value,
  short,
  read: numberOf(/^[1-9]\d{0,5}$/, Number.MAX_SAFE_INTEGER, 'a whole number of at least 1'),
});

const LAST_PORT = 65_535;

export const port = (value: string, about: string): OptionSpec<number | undefined> => ({
  about,
  value,
  read: numberOf(/^[1-9]\d{0,4}$/, LAST_PORT, `a port, from 1 to ${LAST_PORT}`),
});

function numberOf(pattern: RegExp, most: number, wanted: string) {
  return (words: readonly string[], name: string): number | undefined => {
    const word = words.at(-1);
    if (word === undefined) return undefined;
    if (!pattern.test(word) || Number(word) > most)
      throw new UsageError(`--${name} must be ${wanted}, not \`${word}\``);
    return Number(word);
  };
}

interface CommandSpec<O extends Options> {
  /** The rest of the usage line, after the name. */
  readonly usage: string;
  /** What the command does, more fully than in the list of commands. */
  readonly about: string;
  readonly options: O;
  /** Text below the options: the output, exit codes. */
  readonly details?: string;
  readonly examples: readonly string[];
  /** Resolves with the exit code. */
  run(args: Arguments<O>, terminal: Terminal): Promise<number>;
}

export type CliCommand = CommandSpec<Options>;

/** A command, whose options are typed by their entries. */
export function command<const O extends Options>(spec: CommandSpec<O>): CliCommand {
  return spec;
}

/** The one of these flags that is given. Throws for more than one. */
export function givenFlag<Name extends string>(
  options: Readonly<Record<Name, boolean>>,
  names: readonly Name[],
): Name | undefined {
  const given = names.filter((name) => options[name]);
  if (given.length > 1) throw new UsageError(`--${given.join(' and --')} cannot be combined`, 'Choose one of them.');
  return given[0];
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
