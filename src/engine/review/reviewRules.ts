import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { CaseRules, NormaliseRules } from '../../core/model/normalise';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { mayHoldCases } from '../../core/project/filePatterns';
import { owningCasePath } from '../../core/project/layout';
import { commonCaseRules, withCaseRules } from '../../core/review/caseRules';
import { Normaliser } from '../../core/review/compare/normaliser';
import { unlessUnreadable } from '../errors/systemError';
import { realPath } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { readTextIfThere } from '../files/readFile';
import { Repository } from '../git/repository';
import type { RevisionSpan } from '../git/revision';
import { type CaseUser, caseRulesIn, type EarlierTexts, mayHaveCaseRules, tapeUsersIn } from '../project/caseTapes';
import { projectConfig } from '../project/projectConfig';
import { configOfSpan, textBefore } from './earlierRules';

/** Where the cases are read. */
interface CaseSource {
  /** A file of cases, by its path from the root. */
  read(path: string): Promise<string | undefined>;
  /** The files that are to be read as they were before. */
  earlier(): Promise<EarlierTexts>;
}

/**
 * The rules by which the recordings of a project are compared: its own, and besides those of the case that a run, a baseline, or
 * a tape belongs to. A tape of several cases is compared by what all of them have, so that none hides a change of another.
 */
export class ReviewRules {
  #users: Promise<readonly CaseUser[]> | undefined;

  private constructor(
    private readonly root: string,
    private readonly project: NormaliseRules,
    private readonly cases: CaseSource,
  ) {}

  /** Rejects with a `CaseError` where `tapedeck.toml` is broken. */
  static async of(root: string): Promise<ReviewRules> {
    const { normalise } = await projectConfig(root);
    return new ReviewRules(root, normalise, {
      read: (path) => unlessUnreadable(readTextIfThere(join(root, path), FILE_LIMITS.case)),
      earlier: async () => new Map(),
    });
  }

  /** Those by which the changes of a span are compared: of commits, those where they begin. */
  static async ofSpan(root: string, span: RevisionSpan): Promise<ReviewRules> {
    if (span.type !== 'since') return ReviewRules.of(root);
    const { normalise } = await configOfSpan(root, span);
    const repository = await Repository.require(root);
    return new ReviewRules(root, normalise, {
      read: (path) => textBefore(root, repository, span, path),
      earlier: () => casesBefore(root, repository, span),
    });
  }

  /** For the last run of a case. */
  async ofCase(casePath: string): Promise<Normaliser> {
    const { path } = parseCaseAddress(casePath);
    const text = await this.cases.read(path);
    return this.#with(text === undefined ? undefined : caseRulesIn(path, text));
  }

  /** For a tape, or a baseline, by its path from the root. */
  async of(path: string): Promise<Normaliser> {
    const casePath = owningCasePath(path);
    if (casePath !== undefined) return this.ofCase(casePath);
    this.#users ??= this.#withRules();
    const users = (await this.#users).filter(({ tapes }) => tapes.some((tape) => fromRoot(this.root, tape) === path));
    return this.#with(users.length === 0 ? undefined : commonCaseRules(users.map(({ rules }) => rules)));
  }

  /** For two recordings: those of one case or tape by its rules, others by those of the project. */
  async between(before: string, after: string): Promise<Normaliser> {
    const isOne = (owningCasePath(before) ?? before) === (owningCasePath(after) ?? after);
    return isOne ? this.of(after) : this.#with(undefined);
  }

  #with(own: CaseRules | undefined): Normaliser {
    return new Normaliser(withCaseRules(this.project, own));
  }

  /** The cases of the project; none where no case has rules, as in most projects. */
  async #withRules(): Promise<readonly CaseUser[]> {
    const earlier = await this.cases.earlier();
    return mayHaveCaseRules(this.root, earlier) ? tapeUsersIn(this.root, earlier) : [];
  }
}

/** The files of cases that a span has changed, as they were before it. */
export async function casesBefore(root: string, repository: Repository, span: RevisionSpan): Promise<EarlierTexts> {
  const realRoot = (await realPath(root)) ?? root;
  const inProject = (path: string): string => fromRoot(realRoot, join(repository.top, path));
  const { files } = await repository.changes(span, {
    isWanted: (path) => !inProject(path).startsWith('../') && mayHoldCases(inProject(path)),
    // A folder that cannot be opened now had its cases in the commit.
    mayHoldWanted: () => false,
  });
  const texts = new Map<string, string | undefined>();
  for await (const { path, before } of files)
    texts.set(join(root, inProject(path)), before && new TextDecoder().decode(before));
  return texts;
}
