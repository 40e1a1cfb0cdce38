import { type Arguments, type CliCommand, UsageError } from './command';

/** The options of a command that has several reporters; the first of them is the default. */
export function reporterOptions(reporters: readonly string[]): CliCommand['options'] {
  const [first, ...others] = reporters;
  return {
    reporter: {
      value: 'NAME',
      about: `The format of the results: ${first} (the default), ${listed(others)}`,
      choices: reporters,
    },
    json: { about: 'Short for --reporter json' },
  };
}

/** The reporter that the command line names. */
export function chosenReporter<Name extends string>(args: Arguments, reporters: readonly [Name, ...Name[]]): Name {
  const [first] = reporters;
  const named = reporters.find((name) => name === args.text('reporter'));
  if (!args.has('json')) return named ?? first;
  if (named !== undefined && named !== 'json')
    throw new UsageError(`--json and --reporter ${named} cannot be combined`, 'Choose one of them.');
  return reporters.find((name) => name === 'json') ?? first;
}

function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');
}
