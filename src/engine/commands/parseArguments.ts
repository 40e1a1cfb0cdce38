import { parseArgs } from 'node:util';
import { closestWord } from '../../core/text/closestWord';
import { type Arguments, type CliCommand, type OptionSpec, UsageError } from './command';

type Options = CliCommand['options'];
type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];
type OptionToken = Extract<Token, { kind: 'option' }>;

/** Parses the arguments of a command. Throws a `UsageError` for unknown options and invalid values. */
export function parseArguments(options: Options, args: readonly string[]): Arguments {
  const config = Object.fromEntries(
    Object.entries(options).map(
      ([name, { value, short }]) =>
        [name, { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) }] as const,
    ),
  );
  const { tokens, positionals } = parseArgs({ args: [...args], options: config, strict: false, tokens: true });
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const known = values.get(token.name) ?? [];
    values.set(token.name, [...known, checkedValue(token, options)]);
  }
  return {
    positionals,
    has: (option) => values.has(option),
    text: (option) => values.get(option)?.at(-1),
    texts: (option) => values.get(option) ?? [],
  };
}

function checkedValue({ name, rawName, value: written, inlineValue }: OptionToken, options: Options): string {
  // As in `-o=json`; without a space, Node takes the sign for a part of the value.
  const value = inlineValue && !rawName.startsWith('--') ? written?.replace(/^=/, '') : written;
  const spec = Object.hasOwn(options, name) ? options[name] : undefined;
  if (spec === undefined) throw unknownOption(rawName, name, options);
  if (spec.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return '';
  }
  if (value === undefined || value === '' || (!inlineValue && /^-./.test(value))) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${spec.value}`);
  }
  checkChoice(rawName, value, spec);
  return value;
}

function checkChoice(rawName: string, value: string, { choices }: OptionSpec): void {
  if (choices === undefined || choices.includes(value)) return;
  const close = closestWord(value, choices);
  throw new UsageError(
    `${rawName} cannot be \`${value}\`: use one of ${choices.join(', ')}`,
    close && `Did you mean ${rawName} ${close}?`,
  );
}

function unknownOption(rawName: string, name: string, options: Options): UsageError {
  const close = closestWord(name, Object.keys(options));
  return new UsageError(`unknown option ${rawName}`, close && `Did you mean --${close}?`);
}

const LAST_PORT = 65_535;

/** The value of an option that is a port. */
export function portOption(args: Arguments, option: string): number | undefined {
  const text = args.text(option);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > LAST_PORT)
    throw new UsageError(`--${option} must be a port, from 1 to ${LAST_PORT}, not \`${text}\``);
  return Number(text);
}

/** The value of an option that is a whole number of 1 or more. */
export function countOption(args: Arguments, option: string): number | undefined {
  const text = args.text(option);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new UsageError(`--${option} must be a whole number of at least 1, not \`${text}\``);
  return Number(text);
}
