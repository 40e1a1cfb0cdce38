import { EXIT_CODES, exitCodeOf } from '../../core/cases/runOutcome';
import { closestWord } from '../../core/text/closestWord';
import { escapeCommands } from '../../core/text/escapeInvisible';
import { UserError } from '../errors/userError';
import type { Terminal } from '../terminal/terminal';
import { version } from '../version';
import { UsageError } from './command';
import { type CommandEntry, commands } from './commands';

/** Runs a command line. Resolves with the exit code; rejects only for a bug. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    if (error instanceof UsageError) terminal.note(escapeCommands(`tapedeck: ${withLine(error.message, error.hint)}`));
    else if (error instanceof UserError)
      terminal.note(escapeCommands(`tapedeck: ${withLine(error.message, error.fix)}`));
    // The signal ends the recording of `serve`, so errors of that recording are reported above.
    else if (terminal.signal.aborted) return EXIT_CODES.cancelled;
    else return printFailures(error, terminal);
    return EXIT_CODES.notUnderstood;
  }
}

/** Reports errors that no command handles and that are not bugs, such as a folder without permissions or a missing tape. */
async function printFailures(error: unknown, terminal: Terminal): Promise<number> {
  const { errorFailures } = await import('../errors/failures');
  const failures = errorFailures(error);
  if (failures === undefined) throw error;
  for (const { message, fix } of failures) terminal.note(escapeCommands(`tapedeck: ${withLine(message, fix)}`));
  return exitCodeOf(failures.map(({ kind }) => kind));
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const { leading, name, rest } = splitAtCommand(args);
  if (name === 'help') return dispatch([...rest.slice(0, 1), '--help'], terminal);
  if (name === undefined) return withoutCommand(leading, terminal);
  const command = await findCommand(name).load();
  const own = [...leading, ...rest];
  if (hasFlag(own, '--help', '-h')) {
    terminal.print((await import('./help')).commandHelp(name, command));
    return EXIT_CODES.ok;
  }
  const { parseArguments } = await import('./parseArguments');
  const { declareLayoutsAt } = await import('../project/declareLayouts');
  await declareLayoutsAt(terminal.cwd);
  try {
    return await command.run(parseArguments(command.options, own), terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${name}: ${error.message}`, withLine(error.hint, `See: tapedeck ${name} --help`));
  }
}

async function withoutCommand(leading: readonly string[], terminal: Terminal): Promise<number> {
  if (hasFlag(leading, '--version', '-V')) {
    terminal.print(`${version}\n`);
    return EXIT_CODES.ok;
  }
  if (hasFlag(leading, '--self-check')) {
    const { printSelfCheck } = await import('./selfCheck');
    return printSelfCheck(hasFlag(leading, '--json'), terminal);
  }
  const wanted = hasFlag(leading, '--help', '-h');
  if (!wanted && leading.length > 0) throw new UsageError(`unknown option ${leading[0]}`, 'See: tapedeck --help');
  const help = (await import('./help')).generalHelp(version);
  if (wanted) terminal.print(help);
  else terminal.note(help.trimEnd());
  return wanted ? EXIT_CODES.ok : EXIT_CODES.notUnderstood;
}

/** The options with a value that MoFA also takes before the command. */
const LEADING_VALUES = ['--output-format', '--output', '-o', '--config', '-c'];

/** Splits off the options before the command, as in `mofa --output-format json test-dsl`. */
function splitAtCommand(args: readonly string[]) {
  let at = 0;
  while (args[at]?.startsWith('-')) at += LEADING_VALUES.includes(args[at] ?? '') ? 2 : 1;
  return { leading: args.slice(0, at), name: args[at], rest: args.slice(at + 1) };
}

/** What the window calls its commands, which are options of a command here. */
const WORDS_OF_THE_WINDOW: ReadonlyMap<string, string> = new Map([
  ['replay', 'run'],
  ['record', 'run --record'],
  ['re-record', 'run --record'],
]);

function findCommand(name: string): CommandEntry {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  const close =
    WORDS_OF_THE_WINDOW.get(name) ??
    closestWord(
      name,
      commands.filter(({ hidden }) => !hidden).map((command) => command.name),
    );
  throw new UsageError(
    `unknown command \`${name}\``,
    withLine(close && `Did you mean \`${close}\`?`, 'See: tapedeck --help'),
  );
}

/** Whether one of the options is given, before any `--`. */
function hasFlag(args: readonly string[], ...options: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((argument) => options.includes(argument));
}

function withLine(first: string | undefined, second: string | undefined): string {
  return [first, second].filter((line) => line !== undefined).join('\n  ');
}
