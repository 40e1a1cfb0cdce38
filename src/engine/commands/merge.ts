import { resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { readText } from '../files/readFile';
import { mergeReports, type PartReport, RepeatedPath, readReport } from '../reporters/mergeReports';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, type CliCommand, UsageError } from './command';

export const mergeCommand: CliCommand = {
  name: 'merge',
  usage: 'FILE… [--json]',
  about: 'Join the reports of shards into one: JSON, JUnit, or Markdown of run and check',
  options: { json: { about: 'Refuse files that are not JSON' } },
  details: `The FILEs are what \`run --shard I/N\` or \`check --shard I/N\` has printed, all with the same reporter. The result is what
one command for everything would have printed, in its order; durations are added up. A file that two of them have is refused.

Exit codes: 0 all good; 2 a file cannot be read, or is no such report; otherwise that of \`run\` or \`check\` for the joined results,
for JUnit and Markdown 1 when there is a failure or a pending change.`,
  examples: ['tapedeck merge run-1.json run-2.json run-3.json > run.json', 'tapedeck merge shard-*.xml > report.xml'],
  run,
};

async function run(args: Arguments, { cwd, print }: Terminal): Promise<number> {
  const { positionals } = args;
  if (positionals.length === 0) throw new UsageError('name the reports to join');
  const parts: PartReport[] = [];
  for (const written of positionals) parts.push(await readPart(written, cwd, args.has('json')));
  const merged = mergeReports(parts);
  if (merged === undefined)
    throw new UserError(
      `${positionals.join(', ')} are reports of several kinds`,
      'Join those of one command and reporter.',
    );
  if (merged instanceof RepeatedPath)
    throw new UserError(`${merged.path} is in several of these reports`, 'Name the report of each shard once.');
  print(merged.text);
  return merged.exitCode;
}

async function readPart(written: string, cwd: string, wantsJson: boolean): Promise<PartReport> {
  const part = readReport(await readNamed(written, cwd));
  const isWanted = part !== undefined && (!wantsJson || part.kind === 'run' || part.kind === 'check');
  if (isWanted) return part;
  const reporters = wantsJson ? '--json' : '--reporter json, junit or markdown';
  throw new UserError(`${written} is not a report of \`run\` or \`check\``, `Make it with ${reporters}.`);
}

async function readNamed(written: string, cwd: string): Promise<string> {
  try {
    return await readText(resolve(cwd, written), FILE_LIMITS.tape);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${written}: ${systemReason(error)}`, 'Name a file with a report.');
  }
}
