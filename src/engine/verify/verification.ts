import { detectFormat } from '../../core/tapes/readTape';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { t } from '../../core/text/l10n';
import { type FileIdentity, fileIdentity } from '../files/fileStatus';
import { createRootFinder } from '../project/findRoot';
import { findOverwrittenFiles } from '../project/overwrittenFiles';
import { ReaderPool } from '../readers/readerPool';
import { readNamedTape, STDIN } from '../recording/recordedFile';
import type { Verified, VerifiedTape } from '../reporters/verifiedReport';
import type { Terminal } from '../terminal/terminal';
import type { FileOutcome, VerifierOptions, WantedFile } from './fileVerifier';
import { FileVerifier } from './fileVerifier';
import type { Verdict } from './verdictCache';
import { verifyTask } from './verifyTask';

/** The verification of several files, with what was found so far. */
export class Verification implements Verified {
  readonly tapes: VerifiedTape[] = [];
  /** The number of named files that are not tapes, or could not be read. */
  unusable = 0;
  readonly #options: VerifierOptions;
  readonly #terminal: Terminal;
  readonly #verifier: FileVerifier;
  /** Files in folders that are not tapes any more. */
  readonly #others: string[] = [];

  constructor(rules: Pick<VerifierOptions, 'maxAgeDays' | 'cachePrefix'>, terminal: Terminal) {
    this.#options = { cwd: terminal.cwd, ...rules, now: Date.now() };
    this.#terminal = terminal;
    this.#verifier = new FileVerifier(this.#options, terminal.env);
  }

  /** The tapes that the cases in a folder, or below it, name. Paths are absolute. */
  caseTapes(folder: string): Promise<readonly string[]> {
    return this.#verifier.caseTapes(folder);
  }

  /** Whether no file was verified, and no named file failed. */
  get isEmpty(): boolean {
    return this.tapes.length === 0 && this.unusable === 0;
  }

  /**
   * Verifies files, on several processors if there are many. `onFile` is called when one is begun. False if the user cancelled.
   */
  async files(files: readonly WantedFile[], onFile: (path: string) => void): Promise<boolean> {
    const { signal } = this.#terminal;
    const outcomes: (FileOutcome | undefined)[] = [];
    const readers = new ReaderPool();
    let states: readonly (FileIdentity | undefined)[];
    let left: [at: number, file: WantedFile][];
    try {
      states = await this.#findKept(files, outcomes, readers);
      left = [...files.entries()].filter(([at]) => outcomes[at] === undefined);
      const wanted = left.map(([at, file]) => ({ ...file, at, size: sizeOf(states[at]) }));
      await readers.read(wanted, verifyTask, this.#options, {
        signal,
        here: (file) => this.#verifier.verify(file),
        begin: ({ path }) => onFile(path),
        done: async ({ at, path }, outcome) => {
          outcomes[at] =
            outcome.kind === 'tape'
              ? { kind: 'tape', tape: await this.#verifier.withUse(path, outcome.tape) }
              : outcome;
        },
      });
    } finally {
      readers.end();
    }
    if (signal.aborted) return false;
    for (const [at, file] of files.entries()) this.#keep(outcomes[at], file.path);
    await this.#keepVerdicts(left, outcomes, states);
    return true;
  }

  /** Looks up the verdicts of unchanged files, and returns the current states of all. Threads are started for the others. */
  async #findKept(
    files: readonly WantedFile[],
    outcomes: (FileOutcome | undefined)[],
    readers: ReaderPool,
  ): Promise<readonly (FileIdentity | undefined)[]> {
    const states: (FileIdentity | undefined)[] = [];
    let unknown = 0;
    for (const [at, file] of files.entries()) {
      const kept = await this.#verifier.verdictCache(file.path).catch(() => undefined);
      const state = kept && (await fileIdentity(file.path).catch(() => undefined));
      states[at] = state;
      const verdict = state && kept.find(file.path, state);
      if (verdict !== undefined) outcomes[at] = await this.#verifier.keptOutcome(file, verdict);
      if (outcomes[at] === undefined) readers.prepare(++unknown, verifyTask, this.#options);
    }
    return states;
  }

  async #keepVerdicts(
    files: readonly (readonly [at: number, file: WantedFile])[],
    outcomes: readonly (FileOutcome | undefined)[],
    states: readonly (FileIdentity | undefined)[],
  ): Promise<void> {
    for (const [at, { path }] of files) {
      const verdict = verdictOf(outcomes[at]);
      const state = states[at];
      if (verdict !== undefined && state !== undefined)
        (await this.#verifier.verdictCache(path))?.keep(path, state, verdict);
    }
    await this.#verifier.saveVerdicts();
  }

  /** Verifies standard input. */
  async input(): Promise<void> {
    const file = await readNamedTape(STDIN, this.#terminal.cwd);
    this.#keep(await this.#verifier.verifyContent(file, { isNamed: true }));
  }

  /** Reports a file that may be a tape but cannot be read: it must not pass as verified. */
  unreadable(path: string, reason: string): void {
    this.tapes.push(this.#verifier.unreadable(path, reason));
  }

  /** Reports the files without a recording that held a tape in the last commit. */
  async overwritten(): Promise<void> {
    const wasOne = (path: string, bytes: Uint8Array): boolean =>
      detectFormat(decodeTapeFile(path, bytes)) !== undefined;
    const rootOf = createRootFinder(this.#terminal.cwd);
    const { paths, notices } = await findOverwrittenFiles(this.#others, { rootOf, wasOne });
    for (const notice of notices) this.#terminal.note(`tapedeck: ${notice}`);
    for (const path of paths) this.unreadable(path, t('no recording is left of the tape in the last commit'));
  }

  #keep(outcome: FileOutcome | undefined, path?: string): void {
    if (outcome?.kind === 'tape') {
      this.tapes.push(outcome.tape);
      const isUnknown = outcome.tape.problems.some(({ rule }) => rule === 'unknown');
      if (isUnknown && path !== undefined) this.#others.push(path);
    } else if (outcome?.kind === 'other' && path !== undefined) this.#others.push(path);
    else if (outcome?.kind === 'unusable') {
      this.unusable += 1;
      this.#terminal.note(`tapedeck: ${outcome.message}\n  ${outcome.fix}`);
    }
  }
}

/** The part of an outcome that may be kept: that nothing was found. */
function verdictOf(outcome: FileOutcome | undefined): Verdict | undefined {
  if (outcome?.kind === 'other') return 'other';
  if (outcome?.kind !== 'tape' || outcome.tape.problems.length > 0) return undefined;
  const { format, interactions } = outcome.tape;
  return format === undefined ? undefined : { format, interactions };
}

function sizeOf(state: FileIdentity | undefined): number | undefined {
  return state && Number(state.size);
}
