import { type CliCommand, optionName } from './command';
import { commands } from './commands';

export function generalHelp(version: string): string {
  const listed = commands.filter(({ hidden }) => !hidden).map(({ name, about }) => [name, about] as const);
  return `tapedeck ${version}: read, replay, re-record and review the recorded runs of LLM agents

Usage: tapedeck COMMAND [ARGUMENTS]

Commands:
${table(listed)}

Options:
${table([
  ['-h, --help', 'Show this help, or the help of a command'],
  ['-V, --version', 'Show the version'],
  ['--self-check', 'Check this machine, and list what is missing for what; with --json for programs'],
])}

Examples:
  tapedeck run                        replay every case below this folder
  tapedeck run --record cases/a.toml  call the provider again and replace the tape
  tapedeck inspect a.tape.json        read a tape as a conversation
  tapedeck verify tapes/              find leaked secrets and damaged tapes
  tapedeck accept cases/a.toml        make the last run the baseline

Exit codes: 0 all good; 1 a case failed, or there is a difference or a finding; 2 the command line or a file is invalid;
3 a provider or an agent cannot be reached; 4 a request drifted from its recording, or has none, as without a tape;
5 recordings are unused or expired, where that counts as a failure; 130 cancelled.
`;
}

export function commandHelp(name: string, { usage, about, options, details, examples }: CliCommand): string {
  const rows = Object.entries(options).map(
    ([key, { value, short, about: text }]) =>
      [`${short ? `-${short}, ` : ''}--${optionName(key)}${value === undefined ? '' : ` ${value}`}`, text] as const,
  );
  return [
    `${about}.\n\nUsage: tapedeck ${name} ${usage}`,
    `Options:\n${table([...rows, ['--help', 'Show this help']])}`,
    ...(details === undefined ? [] : [details]),
    `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  ]
    .join('\n\n')
    .concat('\n');
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
