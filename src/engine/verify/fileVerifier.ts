import { dirname } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { Tape } from '../../core/model/tape';
import { isTapePath } from '../../core/project/filePatterns';
import type { ProjectConfig } from '../../core/project/projectConfig';
import { isOwnReport } from '../../core/tapes/ownReport';
import { formatById } from '../../core/tapes/registry';
import { type TapeFile, tapeFileOf } from '../../core/tapes/tapeFile';
import { message, t } from '../../core/text/l10n';
import { lazy } from '../../core/text/memo';
import { LineIndex } from '../../core/text/source';
import { exemptionOf, findBrokenPrefixes } from '../../core/verify/brokenPrefixes';
import type { Finding } from '../../core/verify/finding';
import { findExpiredRecordings } from '../../core/verify/staleRecordings';
import { verifyFile, verifyUnknownFile } from '../../core/verify/verifyFile';
import { TapeUsers } from '../cases/tapeUsers';
import { isSystemError, systemReason } from '../errors/systemError';
import { projectPath, shownPath, withSlashes } from '../files/projectPaths';
import { readContent } from '../files/readFile';
import { createRootFinder } from '../project/findRoot';
import { validConfig } from '../project/projectConfig';
import { createRecorders, type Recorders } from '../recording/openRecorder';
import type { VerifiedTape } from '../reporters/verifiedReport';
import { type Verdict, VerdictCache } from './verdictCache';

/** What a verification depends on besides the files. Plain data, which a thread is given. */
export interface VerifierOptions {
  readonly cwd: string;
  readonly maxAgeDays: number | undefined;
  /** Even if the project does not ask for it. */
  readonly cachePrefix: boolean;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** A file to verify. */
export interface WantedFile {
  /** Absolute. */
  readonly path: string;
  /** By the user, so that it has to be a tape. */
  readonly isNamed: boolean;
  /** A case names it as its tape: it is one, wherever it lies and whatever it is called. */
  readonly isCaseTape: boolean;
}

/** The outcome for one file. Plain data. */
export type FileOutcome =
  | { readonly kind: 'tape'; readonly tape: VerifiedTape }
  | { readonly kind: 'other' }
  /** It was named and is no tape, or cannot be read. */
  | { readonly kind: 'unusable'; readonly message: string; readonly fix: string };

const MAKE_READABLE = message('Check the file and its permissions, restore it from version control, or leave it out.');

/** Verifies files one by one, by their content. What it reads of their projects is kept for the next. */
export class FileVerifier {
  readonly #options: VerifierOptions;
  readonly #rootOf: (folder: string) => string;
  readonly #users: TapeUsers;
  /** Of each project, because what its recorder hides must not be on its tapes. */
  readonly #recorders: Recorders;
  readonly #kept = new Map<string, Promise<VerdictCache | undefined>>();
  readonly #configs = new Map<string, Promise<ProjectConfig>>();

  constructor(options: VerifierOptions, environment: NodeJS.ProcessEnv) {
    this.#options = options;
    this.#rootOf = createRootFinder(options.cwd);
    this.#users = new TapeUsers(options.cwd);
    this.#recorders = createRecorders(environment);
  }

  async verify(wanted: WantedFile): Promise<FileOutcome> {
    const { path, isNamed } = wanted;
    try {
      return await this.verifyContent(
        tapeFileOf(path, await readContent(path, FILE_LIMITS.tape, { mayBePipe: isNamed })),
        wanted,
      );
    } catch (error) {
      if (!isSystemError(error)) throw error;
      const reason = systemReason(error);
      if (!isNamed) return { kind: 'tape', tape: this.unreadable(path, reason) };
      return { kind: 'unusable', message: `${this.#namesOf(path).shown}: ${reason}`, fix: MAKE_READABLE };
    }
  }

  /**
   * The outcome for a file that has not changed since nothing was found in it; undefined if it has to be read, because something else
   * may be found now.
   */
  async keptOutcome({ path, isNamed, isCaseTape }: WantedFile, verdict: Verdict): Promise<FileOutcome | undefined> {
    const { maxAgeDays, cachePrefix } = this.#options;
    const root = this.#rootOf(dirname(path));
    if (maxAgeDays !== undefined || cachePrefix || (await this.#configOf(root)).verify.cachePrefix) return undefined;
    if (verdict === 'other') {
      return isNamed || isCaseTape || isTapePath(withSlashes(path)) ? undefined : { kind: 'other' };
    }
    const { format, interactions } = verdict;
    const outcome = await this.withUse(path, { ...this.#namesOf(path), format, interactions, problems: [] });
    return outcome.problems.length > 0 ? undefined : { kind: 'tape', tape: outcome };
  }

  /**
   * A verified tape with the findings that its content does not tell: that it is unused, or replaced by another case. Asked
   * in one thread, since the answer takes a look at all of a project.
   */
  async withUse(path: string, tape: VerifiedTape): Promise<VerifiedTape> {
    const { format } = tape;
    if (format === undefined) return tape;
    const file = lazy(async () => tapeFileOf(path, await readContent(path, FILE_LIMITS.tape)));
    const read = async (): Promise<Tape> => formatById(format).read(await file());
    try {
      const findings = [...(await this.#users.unused(path, format, read)), ...(await this.#users.shared(path))];
      if (findings.length === 0) return tape;
      const lines = findings.some(({ span }) => span.start > 0) ? new LineIndex((await file()).text) : FIRST_LINE;
      return { ...tape, problems: [...findings.map((finding) => placed(finding, lines)), ...tape.problems] };
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return this.unreadable(path, systemReason(error));
    }
  }

  /** The tapes that the cases in a folder, or below it, name. */
  caseTapes(folder: string): Promise<readonly string[]> {
    return this.#users.namedBelow(folder);
  }

  /** The verdicts on the files of the project that a file belongs to. */
  verdictCache(path: string): Promise<VerdictCache | undefined> {
    const root = this.#rootOf(dirname(path));
    const known = this.#kept.get(root) ?? this.#recorders(root).then((recorder) => VerdictCache.open(root, recorder));
    this.#kept.set(root, known);
    return known;
  }

  /** Keeps the verdicts of this verification for the next. */
  async saveVerdicts(): Promise<void> {
    for (const kept of this.#kept.values()) await (await kept.catch(() => undefined))?.save();
  }

  /** The outcome for content that was read; without a path, of standard input. */
  async verifyContent(
    file: TapeFile,
    { path, isNamed, isCaseTape = false }: Pick<WantedFile, 'isNamed'> & Partial<WantedFile>,
  ): Promise<FileOutcome> {
    const names = path === undefined ? { path: file.path, shown: 'stdin' } : this.#namesOf(path);
    const folder = path === undefined ? this.#options.cwd : dirname(path);
    const { search } = await this.#recorders(this.#rootOf(folder));
    const isExpected = isCaseTape || isTapePath(names.path);
    const isUnknown = !isNamed && isExpected && !isOwnReport(file.text);
    const verified = verifyFile(file, search) ?? (isUnknown ? verifyUnknownFile(file, search) : undefined);
    // Broken JSON and empty files in a folder may not be tapes.
    if (verified !== undefined && (verified.format !== undefined || isNamed || isExpected)) {
      const { format, interactions, tape, findings } = verified;
      const lines = lazy(() => new LineIndex(file.text));
      const others = [...this.#expired(tape), ...(await this.#uncached(folder, names.path, tape))];
      const problems = [...others, ...findings].map((finding) => placed(finding, lines()));
      return { kind: 'tape', tape: { ...names, format, interactions, problems } };
    }
    if (!isNamed) return { kind: 'other' };
    const message = t('{0} is not a tape in a known format', names.shown);
    return { kind: 'unusable', message, fix: t('Check that the file is a recording.') };
  }

  /** A file that may be a tape but cannot be read: it must not pass as verified. */
  unreadable(path: string, reason: string): VerifiedTape {
    const place = { line: 1, column: 1, span: { start: 0, end: 0 } };
    const problem = { severity: 'error', rule: 'unreadable', message: reason, fix: MAKE_READABLE, ...place } as const;
    return { ...this.#namesOf(path), format: undefined, interactions: 0, problems: [problem] };
  }

  #expired(tape: Tape | undefined): readonly Finding[] {
    const { maxAgeDays, now } = this.#options;
    if (tape === undefined || maxAgeDays === undefined) return [];
    return findExpiredRecordings(tape, maxAgeDays, new Date(now));
  }

  /** Findings for requests that a provider could not read from its cache, where somebody asks for them. */
  async #uncached(folder: string, path: string, tape: Tape | undefined): Promise<readonly Finding[]> {
    const { cachePrefix, exempt } = (await this.#configOf(this.#rootOf(folder))).verify;
    if (tape === undefined || !(cachePrefix || this.#options.cachePrefix)) return [];
    return findBrokenPrefixes(tape, exemptionOf(path, exempt));
  }

  #configOf(root: string): Promise<ProjectConfig> {
    const known = this.#configs.get(root) ?? validConfig(root);
    this.#configs.set(root, known);
    return known;
  }

  #namesOf(path: string): Pick<VerifiedTape, 'path' | 'shown'> {
    return { path: projectPath(this.#rootOf(dirname(path)), path), shown: shownPath(this.#options.cwd, path) };
  }
}

const FIRST_LINE = new LineIndex('');

function placed(finding: Finding, lines: LineIndex): VerifiedTape['problems'][number] {
  return { ...finding, ...lines.position(finding.span.start) };
}
