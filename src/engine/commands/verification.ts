import { dirname } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { Tape } from '../../core/model/tape';
import { isTapePath } from '../../core/project/filePatterns';
import { detectFormat } from '../../core/tapes/readTape';
import { decodeTapeFile, type TapeFile, tapeFileOf } from '../../core/tapes/tapeFile';
import { LineIndex } from '../../core/text/source';
import type { Finding } from '../../core/verify/finding';
import { findExpiredRecordings } from '../../core/verify/staleRecordings';
import { verifyFile } from '../../core/verify/verifyFile';
import { TapeUsers } from '../cases/tapeUsers';
import { isSystemError, systemReason } from '../errors/systemError';
import { projectPath, shownPath } from '../files/projectPaths';
import { readContent } from '../files/readFile';
import { findOverwrittenFiles } from '../project/overwrittenFiles';
import { createRecorders, type Recorders } from '../recording/openRecorder';
import { readNamedTape, STDIN } from '../recording/recordedFile';
import type { Verified, VerifiedTape } from '../reporters/verifiedReport';
import type { Terminal } from '../terminal/terminal';

const MAKE_READABLE = 'Check the file and its permissions, restore it from version control, or leave it out.';

/** How a tape is named in results. */
type Names = Pick<VerifiedTape, 'path' | 'shown'>;

interface VerificationOptions {
  readonly maxAgeDays: number | undefined;
  /** The root of the project that a folder belongs to. */
  rootOf(folder: string): string;
}

/** The verification of several files, with what was found so far. */
export class Verification implements Verified {
  readonly tapes: VerifiedTape[] = [];
  /** The number of named files that are not tapes, or could not be read. */
  unusable = 0;
  readonly #options: VerificationOptions;
  readonly #now = new Date();
  readonly #terminal: Terminal;
  readonly #users: TapeUsers;
  /** Files in folders that are no tapes now. */
  readonly #others: string[] = [];
  /** Of each project, because what its recorder hides must not be on its tapes. */
  readonly #recorders: Recorders;

  constructor(options: VerificationOptions, terminal: Terminal) {
    this.#options = options;
    this.#terminal = terminal;
    this.#users = new TapeUsers(terminal.cwd);
    this.#recorders = createRecorders(terminal.env);
  }

  /** Whether no file was verified, and none that was named failed to be. */
  get isEmpty(): boolean {
    return this.tapes.length === 0 && this.unusable === 0;
  }

  async file(path: string, isNamed: boolean): Promise<void> {
    const names = this.#namesOf(path);
    const file = await this.#read(path, names, isNamed);
    if (file !== undefined) await this.#verify(file, names, { path, isNamed });
  }

  /** Verifies what is piped into the command. */
  async input(): Promise<void> {
    const { cwd } = this.#terminal;
    const file = await readNamedTape(STDIN, cwd);
    await this.#verify(file, { path: STDIN, shown: 'stdin' }, { isNamed: true });
  }

  /** Reports a file that may be a tape but cannot be read: it must not pass as verified. */
  unreadable(path: string, reason: string): void {
    const place = { line: 1, column: 1, span: { start: 0, end: 0 } };
    const problem = { severity: 'error', rule: 'unreadable', message: reason, fix: MAKE_READABLE, ...place } as const;
    this.tapes.push({ ...this.#namesOf(path), format: undefined, interactions: 0, problems: [problem] });
  }

  async #verify(
    file: TapeFile,
    names: Names,
    { path, isNamed }: { readonly path?: string; readonly isNamed: boolean },
  ): Promise<void> {
    const root = path === undefined ? this.#terminal.cwd : dirname(path);
    const { search } = await this.#recorders(this.#options.rootOf(root));
    const verified = verifyFile(file, search);
    // Broken JSON and empty files in a folder may well be other things than tapes.
    const isTape =
      verified !== undefined &&
      (verified.format !== undefined ||
        isNamed ||
        isTapePath(file.path) ||
        (path !== undefined && (await this.#users.isNamed(path))));
    if (isTape) {
      const { format, interactions, tape, findings } = verified;
      const lines = new LineIndex(file.text);
      const problems = [...(await this.#stale(path, tape)), ...findings].map((finding) => ({
        ...finding,
        ...lines.position(finding.span.start),
      }));
      this.tapes.push({ ...names, format, interactions, problems });
    } else if (isNamed)
      this.#reportUnusable(`${names.shown} is not a tape in a known format`, 'Check that the file is a recording.');
    else if (path !== undefined) this.#others.push(path);
  }

  /** Reports the files without a recording that held a tape in the last commit. */
  async overwritten(): Promise<void> {
    const wasOne = (path: string, bytes: Uint8Array): boolean =>
      detectFormat(decodeTapeFile(path, bytes)) !== undefined;
    const { paths, notices } = await findOverwrittenFiles(this.#others, { rootOf: this.#options.rootOf, wasOne });
    for (const notice of notices) this.#terminal.note(`tapedeck: ${notice}`);
    for (const path of paths) this.unreadable(path, 'no recording is left of the tape in the last commit');
  }

  /** Findings for recordings that are intact but unused, expired, or replaced by another case. */
  async #stale(path: string | undefined, tape: Tape | undefined): Promise<readonly Finding[]> {
    if (tape === undefined) return [];
    const { maxAgeDays } = this.#options;
    const expired = maxAgeDays === undefined ? [] : findExpiredRecordings(tape, maxAgeDays, this.#now);
    if (path === undefined) return expired;
    return [...(await this.#users.unused(path, tape)), ...(await this.#users.shared(path)), ...expired];
  }

  async #read(path: string, { shown }: Names, isNamed: boolean): Promise<TapeFile | undefined> {
    try {
      return tapeFileOf(path, await readContent(path, FILE_LIMITS.tape));
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (isNamed) this.#reportUnusable(`${shown}: ${systemReason(error)}`, MAKE_READABLE);
      else this.unreadable(path, systemReason(error));
      return undefined;
    }
  }

  #namesOf(path: string): Names {
    const root = this.#options.rootOf(dirname(path));
    return { path: projectPath(root, path), shown: shownPath(this.#terminal.cwd, path) };
  }

  #reportUnusable(message: string, fix: string): void {
    this.unusable += 1;
    this.#terminal.note(`tapedeck: ${message}\n  ${fix}`);
  }
}
