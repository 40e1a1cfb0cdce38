import { type Arguments, choice, flag, UsageError } from './command';

/** The options of a command that has several reporters; the first of them is the default. */
export function reporterOptions<const Name extends string>(reporters: readonly [Name, ...Name[]]) {
  const [first, ...others] = reporters;
  return {
    reporter: choice('NAME', reporters, `The format of the results: ${first} (the default), ${listed(others)}`),
    json: flag('Short for --reporter json'),
  };
}

type ReporterOptions<Name extends string> = ReturnType<typeof reporterOptions<Name>>;

/** The reporter that the command line names. */
export function chosenReporter<Name extends string>(
  { options: { reporter, json } }: Arguments<ReporterOptions<Name>>,
  reporters: readonly [Name, ...Name[]],
): Name {
  const [first] = reporters;
  if (!json) return reporter ?? first;
  if (reporter !== undefined && reporter !== 'json')
    throw new UsageError(`--json and --reporter ${reporter} cannot be combined`, 'Choose one of them.');
  return reporters.find((name) => name === 'json') ?? first;
}

function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');
}
