import { UserError } from '../errors/userError';
import { readNamedFile } from '../recording/recordedFile';
import { RepeatedPath } from '../reporters/mergedItems';
import { mergeReports, missingShards, type PartReport, readReport } from '../reporters/mergeReports';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, command, flag, UsageError } from './command';

const OPTIONS = { json: flag('Accept JSON reports only') };
type Given = Arguments<typeof OPTIONS>;

export const mergeCommand = command({
  usage: 'FILE… [--json]',
  about: 'Join the reports of shards into one: JSON, JUnit, or Markdown of run, check and trial',
  options: OPTIONS,
  details: `The FILEs are the reports of \`run\`, \`check\` or \`trial\` with --shard I/N, all from the same reporter. The result is what one
command for everything would have printed, in the same order; durations are added up. A case or file in two reports is an error, and so is a missing shard.

Exit codes: 0 all good; 2 a file cannot be read, or is not such a report; otherwise the exit code of the command for the joined
results; for JUnit and Markdown, 1 if there is a failure or a pending change.`,
  examples: ['tapedeck merge run-1.json run-2.json run-3.json > run.json', 'tapedeck merge shard-*.xml > report.xml'],
  run,
});

async function run(args: Given, { cwd, print }: Terminal): Promise<number> {
  const { positionals } = args;
  if (positionals.length === 0) throw new UsageError('name the reports to join');
  const parts: PartReport[] = [];
  for (const written of positionals) parts.push(await readPart(written, cwd, args.options.json));
  const missing = missingShards(parts).map(({ index, count }) => `${index}/${count}`);
  if (missing.length > 0)
    throw new UserError(
      `there is no report of shard ${missing.join(', ')} among these`,
      'Name the reports of all shards; what was to run on that machine is in none of the others.',
    );
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

const JSON_KINDS: readonly PartReport['kind'][] = ['run', 'check', 'trial'];

async function readPart(written: string, cwd: string, wantsJson: boolean): Promise<PartReport> {
  const part = readReport((await readNamedFile(written, cwd)).text());
  const isWanted = part !== undefined && (!wantsJson || JSON_KINDS.includes(part.kind));
  if (isWanted) return part;
  const reporters = wantsJson ? '--json' : '--reporter json, junit or markdown';
  throw new UserError(`${written} is not a report of \`run\`, \`check\` or \`trial\``, `Make it with ${reporters}.`);
}
