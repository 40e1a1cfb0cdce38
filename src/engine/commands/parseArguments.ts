import { parseArgs } from 'node:util';
import { closestWord } from '../../core/text/closestWord';
import { type Arguments, type OptionSpec, type Options, optionName, readOptions, UsageError } from './command';

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];
type OptionToken = Extract<Token, { kind: 'option' }>;

/** Parses the arguments of a command. Throws a `UsageError` for unknown options and invalid values. */
export function parseArguments<O extends Options>(options: O, args: readonly string[]): Arguments<O> {
  const specs = Object.fromEntries(Object.entries(options).map(([key, spec]) => [optionName(key), spec]));
  const config = Object.fromEntries(
    Object.entries(specs).map(
      ([name, { value, short }]) =>
        [name, { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) }] as const,
    ),
  );
  const { tokens, positionals } = parseArgs({ args: [...args], options: config, strict: false, tokens: true });
  const words = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const known = words.get(token.name) ?? [];
    words.set(token.name, [...known, checkedValue(token, specs)]);
  }
  return { positionals, options: readOptions(options, (name) => words.get(name) ?? []) };
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
