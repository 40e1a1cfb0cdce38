import { dirname, relative, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { prettyJson } from '../../core/json/json';
import type { Tape } from '../../core/model/tape';
import { isTapePath, mayBeTape } from '../../core/project/filePatterns';
import { detectFormat } from '../../core/tapes/readTape';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { LineIndex } from '../../core/text/source';
import { type Finding, isFault } from '../../core/verify/finding';
import { findExpiredRecordings } from '../../core/verify/staleRecordings';
import { verifyFile } from '../../core/verify/verifyFile';
import { TapeUsers } from '../cases/tapeUsers';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { withSlashes } from '../files/projectPaths';
import { readBytes } from '../files/readFile';
import { unreadableNotice, walkFiles } from '../files/walkFiles';
import { createRootFinder } from '../project/findRoot';
import { findOverwrittenFiles } from '../project/overwrittenFiles';
import { createRecorders, type Recorders } from '../recording/openRecorder';
import { type VerifiedTape, verifiedText } from '../reporters/verifiedText';
import type { Terminal } from '../terminal/terminal';
import type { Arguments, CliCommand } from './command';
import { countOption } from './parseArguments';

export const verifyCommand: CliCommand = {
  name: 'verify',
  usage: '[PATH…] [--max-age DAYS] [--json]',
  about:
    'Verify tapes and folders of tapes (without a path: this folder): integrity, leaked secrets, unused recordings',
  options: {
    'max-age': { value: 'DAYS', about: 'Report older recordings as expired' },
    json: { about: 'Print the result as JSON' },
  },
  details: `Errors and warnings count as problems; infos are listed but do not count.

  --json  {ok, tapes: [{path, format, interactions, problems: [{severity, rule, message, fix, line, column, span}]}],
          totals: {tapes, errors, warnings, infos}}; format is null where a file is too broken to recognise. A rule is
          unreadable, format, syntax, duplicate-key, base64, cut-off, repeated, lfs-pointer, empty, gzip, orphan (a pytest tape that no
          test uses), shared (a tape of several cases that one of them records), unused (a recording that the last replay did not use),
          expired (see --max-age), or secret/NAME. Secrets are never printed.

Exit codes: 0 no problems; 1 problems, which are listed; 2 a path is not a tape, or cannot be read; 5 expired recordings
are the only problem.`,
  examples: ['tapedeck verify', 'tapedeck verify tapes/ tests/cassettes', 'tapedeck verify refund.tape.json --json'],
  run,
};

async function run(args: Arguments, terminal: Terminal): Promise<number> {
  const named = (args.positionals.length > 0 ? args.positionals : ['.']).map((path) => resolve(terminal.cwd, path));
  const rootOf = createRootFinder(terminal.cwd);
  const { paths, unreadable: leftOut } = walkFiles(named, {
    isWanted: mayBeTape,
    rootOf,
    fix: 'Pass a tape, or a folder of tapes.',
  });
  const verification = new Verification(new Set(named), countOption(args, 'max-age'), terminal, rootOf);
  for (const one of leftOut) {
    if (one.isForeign) terminal.note(`tapedeck: ${unreadableNotice(one)}`);
    else verification.unreadable(one.path, one.reason);
  }
  for (const path of paths) {
    if (terminal.signal.aborted) return EXIT_CODES.cancelled;
    await verification.file(path);
  }
  await verification.overwritten();
  const { tapes, unusable } = verification;
  if (tapes.length === 0 && unusable === 0) throw noTapes(args.positionals);
  if (args.has('json')) terminal.print(`${prettyJson(verifiedJson(tapes, unusable === 0))}\n`);
  else if (tapes.length > 0) terminal.print(verifiedText(tapes, unusable, terminal.paint));
  if (unusable > 0) return EXIT_CODES.notUnderstood;
  const faults = tapes.flatMap(({ problems }) => problems.filter(isFault));
  if (faults.length === 0) return EXIT_CODES.ok;
  return faults.every(({ rule }) => rule === 'expired') ? EXIT_CODES.unused : EXIT_CODES.failed;
}

function noTapes(named: readonly string[]): UserError {
  const fix =
    'A tape is a file of recorded interactions in a format that Tapedeck supports. Pass one, or a folder of tapes.';
  return new UserError(`there are no tapes in ${named.length > 0 ? named.join(', ') : 'this folder'}`, fix);
}

const MAKE_READABLE = 'Check the file and its permissions, restore it from version control, or leave it out.';

class Verification {
  readonly tapes: VerifiedTape[] = [];
  /** The number of named files that are not tapes, or could not be read. */
  unusable = 0;
  readonly #named: ReadonlySet<string>;
  /** Files in folders that are no tapes now. */
  readonly #others: string[] = [];
  readonly #maxAgeDays: number | undefined;
  readonly #now = new Date();
  readonly #terminal: Terminal;
  readonly #users: TapeUsers;
  readonly #rootOf: (folder: string) => string;
  /** Of each project, because what its recorder hides must not be on its tapes. */
  readonly #recorders: Recorders;

  constructor(
    named: ReadonlySet<string>,
    maxAgeDays: number | undefined,
    terminal: Terminal,
    rootOf: (folder: string) => string,
  ) {
    this.#named = named;
    this.#maxAgeDays = maxAgeDays;
    this.#terminal = terminal;
    this.#users = new TapeUsers(terminal.cwd);
    this.#rootOf = rootOf;
    this.#recorders = createRecorders(terminal.env);
  }

  async file(path: string): Promise<void> {
    const shown = shownPath(this.#terminal.cwd, path);
    const isNamed = this.#named.has(path);
    const bytes = await this.#read(path, shown, isNamed);
    if (bytes === undefined) return;
    const file = decodeTapeFile(path, bytes);
    const { search } = await this.#recorders(this.#rootOf(dirname(path)));
    const verified = verifyFile(file, search);
    // Broken JSON and empty files in a folder may well be other things than tapes.
    const isTape =
      verified !== undefined &&
      (verified.format !== undefined || isNamed || isTapePath(file.path) || (await this.#users.isNamed(path)));
    if (isTape) {
      const lines = new LineIndex(file.text);
      const problems = [...(await this.#stale(path, verified.tape)), ...verified.findings].map((finding) => ({
        ...finding,
        ...lines.position(finding.span.start),
      }));
      this.tapes.push({ path: shown, format: verified.format, interactions: verified.interactions, problems });
    } else if (isNamed)
      this.#reportUnusable(`${shown} is not a tape in a known format`, 'Check that the file is a recording.');
    else this.#others.push(path);
  }

  /** Reports the files without a recording that held a tape in the last commit. */
  async overwritten(): Promise<void> {
    const wasOne = (path: string, bytes: Uint8Array): boolean =>
      detectFormat(decodeTapeFile(path, bytes)) !== undefined;
    const { paths, notices } = await findOverwrittenFiles(this.#others, { rootOf: this.#rootOf, wasOne });
    for (const notice of notices) this.#terminal.note(`tapedeck: ${notice}`);
    for (const path of paths) this.unreadable(path, 'no recording is left of the tape in the last commit');
  }

  /** Findings for recordings that are intact but unused, expired, or replaced by another case. */
  async #stale(path: string, tape: Tape | undefined): Promise<readonly Finding[]> {
    if (tape === undefined) return [];
    const expired = this.#maxAgeDays === undefined ? [] : findExpiredRecordings(tape, this.#maxAgeDays, this.#now);
    return [...(await this.#users.unused(path, tape)), ...(await this.#users.shared(path)), ...expired];
  }

  async #read(path: string, shown: string, isNamed: boolean): Promise<Uint8Array | undefined> {
    try {
      return await readBytes(path, FILE_LIMITS.tape);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (isNamed) this.#reportUnusable(`${shown}: ${systemReason(error)}`, MAKE_READABLE);
      else this.unreadable(path, systemReason(error));
      return undefined;
    }
  }

  /** Reports a file that may be a tape but cannot be read: it must not pass as verified. */
  unreadable(path: string, reason: string): void {
    const place = { line: 1, column: 1, span: { start: 0, end: 0 } };
    const problem = { severity: 'error', rule: 'unreadable', message: reason, fix: MAKE_READABLE, ...place } as const;
    const shown = shownPath(this.#terminal.cwd, path);
    this.tapes.push({ path: shown, format: undefined, interactions: 0, problems: [problem] });
  }

  #reportUnusable(message: string, fix: string): void {
    this.unusable += 1;
    this.#terminal.note(`tapedeck: ${message}\n  ${fix}`);
  }
}

/** The path as a user would type it, with `/` on every system. */
function shownPath(cwd: string, path: string): string {
  const way = withSlashes(relative(cwd, path));
  return way.startsWith('../') ? path : way;
}

function verifiedJson(tapes: readonly VerifiedTape[], isComplete: boolean): unknown {
  const all = tapes.flatMap(({ problems }) => problems);
  const count = (wanted: string): number => all.filter(({ severity }) => severity === wanted).length;
  return {
    ok: isComplete && !all.some(isFault),
    tapes: tapes.map(({ path, format, interactions, problems }) => ({
      path,
      format: format ?? null,
      interactions,
      problems: problems.map(({ severity, rule, message, fix, line, column, span }) => ({
        severity,
        rule,
        message,
        fix: fix ?? null,
        line,
        column,
        span: { start: span.start, end: span.end },
      })),
    })),
    totals: { tapes: tapes.length, errors: count('error'), warnings: count('warning'), infos: count('info') },
  };
}
