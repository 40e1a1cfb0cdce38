import { EXIT_CODES } from '../../core/cases/runOutcome';
import { mayBeTape } from '../../core/project/filePatterns';
import { isFault } from '../../core/verify/finding';
import { UserError } from '../errors/userError';
import { isFolder, pathExists } from '../files/fileStatus';
import { pathOfUser } from '../files/pathOfUser';
import { unreadableNotice, walkFiles } from '../files/walkFiles';
import { createRootFinder } from '../project/findRoot';
import { STDIN } from '../recording/recordedFile';
import { verifiedJson, verifiedJunit, verifiedText } from '../reporters/verifiedReport';
import { showProgress } from '../terminal/progress';
import type { Terminal } from '../terminal/terminal';
import { Verification } from '../verify/verification';
import { type Arguments, command, count, flag, UsageError } from './command';
import { chosenReporter, reporterOptions } from './reporterOption';

const REPORTERS = ['text', 'json', 'junit'] as const;

const OPTIONS = {
  maxAge: count('DAYS', 'Report older recordings as expired, and those without a date as undated'),
  cachePrefix: flag(
    'Report requests that break the prefix the provider could have cached, as `[verify] cache_prefix` does',
  ),
  ...reporterOptions(REPORTERS),
};
type Given = Arguments<typeof OPTIONS>;

export const verifyCommand = command({
  usage: '[PATH…] [--max-age DAYS] [--cache-prefix] [--reporter text|json|junit] [--json]',
  about:
    'Verify tapes and folders of tapes (this folder, if no path is given; - for stdin): integrity, leaked secrets, unused recordings',
  options: OPTIONS,
  details: `Errors and warnings count as problems; infos are listed but do not count.

  --json  {ok, tapes: [{path, format, interactions, problems: [{severity, rule, message, fix, line, column, span}]}],
          totals: {tapes, errors, warnings, infos}}; format is null where a file is too broken to recognise, or of no known
          format. A rule is unreadable, unknown (a file where only tapes are, in which only secrets were looked for),
          conflict (two versions that a merge left), format,
          not-read (content that is not where its format has it), syntax, duplicate-key, base64, cut-off, repeated, lfs-pointer, empty, gzip, orphan (a tape that no test uses), shared
          (a tape of several cases that one of them records), unused (a recording that the last replay did not use), expired
          or undated (see --max-age), cache-prefix, or secret/NAME. Secrets are never printed.

Exit codes: 0 no problems; 1 problems, which are listed; 2 a path is not a tape, or cannot be read; 5 expired recordings
are the only problem.`,
  examples: ['tapedeck verify', 'tapedeck verify tapes/ tests/cassettes', 'tapedeck verify refund.tape.json --json'],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const reporter = chosenReporter(args, REPORTERS);
  const maxAgeDays = args.options.maxAge;
  const rootOf = createRootFinder(terminal.cwd);
  const verification = new Verification({ maxAgeDays, cachePrefix: args.options.cachePrefix }, terminal);
  if (args.positionals.includes(STDIN)) await verifyInput(args, verification);
  else if (!(await verifyPaths(args, verification, rootOf, terminal))) return EXIT_CODES.cancelled;
  if (verification.isEmpty) throw noTapes(args.positionals);
  if (reporter === 'json') terminal.print(verifiedJson(verification));
  else if (reporter === 'junit') terminal.print(verifiedJunit(verification));
  else if (verification.tapes.length > 0) terminal.print(verifiedText(verification, terminal.paint));
  if (verification.unusable > 0) return EXIT_CODES.notUnderstood;
  const faults = verification.tapes.flatMap(({ problems }) => problems.filter(isFault));
  if (faults.length === 0) return EXIT_CODES.ok;
  return faults.every(({ rule }) => rule === 'expired') ? EXIT_CODES.unused : EXIT_CODES.failed;
}

function verifyInput(args: Given, verification: Verification): Promise<void> {
  if (args.positionals.length > 1) throw new UsageError('- stands alone: it cannot be combined with paths');
  return verification.input();
}

/** Resolves with false if the user cancelled it. */
async function verifyPaths(
  { positionals }: Given,
  verification: Verification,
  rootOf: (folder: string) => string,
  terminal: Terminal,
): Promise<boolean> {
  const named = (positionals.length > 0 ? positionals : ['.']).map((path) => pathOfUser(terminal.cwd, path));
  const { paths, unreadable } = walkFiles(named, {
    isWanted: mayBeTape,
    rootOf,
    fix: 'Pass a tape, or a folder of tapes.',
  });
  for (const one of unreadable) {
    if (one.isForeign) terminal.note(`tapedeck: ${unreadableNotice(one)}`);
    else verification.unreadable(one.path, one.reason);
  }
  const areNamed = new Set(named);
  const caseTapes = new Set<string>();
  for (const folder of named.filter(isFolder))
    for (const tape of await verification.caseTapes(folder)) if (pathExists(tape)) caseTapes.add(tape);
  const all = [...new Set([...paths, ...caseTapes])];
  const progress = showProgress(terminal, 'verifying', all.length);
  const files = all.map((path) => ({ path, isNamed: areNamed.has(path), isCaseTape: caseTapes.has(path) }));
  if (!(await verification.files(files, (path) => progress.step(path)))) return false;
  progress.end();
  await verification.overwritten();
  return true;
}

function noTapes(named: readonly string[]): UserError {
  const fix =
    'A tape is a file of recorded interactions in a format that Tapedeck supports. Pass one, or a folder of tapes.';
  return new UserError(`there are no tapes in ${named.length > 0 ? named.join(', ') : 'this folder'}`, fix);
}
