import { mayBeTape } from '../../core/project/filePatterns';
import { unlessUnreadable } from '../errors/systemError';
import { realPath } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import type { Repository } from '../git/repository';
import type { RevisionSpan } from '../git/revision';
import { onlyFiles, type WantedFiles } from '../git/wantedFiles';
import { tapeUsersIn } from '../project/caseTapes';
import { casesBefore } from './reviewRules';

/** The changed files that may be reviewed by their names, as paths from the root; their content decides. */
export const NAMED_LIKE_TAPES: WantedFiles = {
  isWanted: (path) => mayBeTape(path) && isReviewedPlace(path),
  mayHoldWanted: isReviewedPlace,
};

function isReviewedPlace(path: string): boolean {
  return !path.startsWith('../') && !/(?:^|\/)\.tapedeck\//.test(path);
}

/**
 * The files that the cases of a project name as their tapes, as paths from the root. They are tapes wherever they lie and whatever they
 * are called, because a run replays them. The cases are read when somebody asks.
 */
export class CaseTapes {
  #names: Promise<ReadonlySet<string>> | undefined;

  /** With a repository, a file counts that a case named where the span begins, or names now. */
  constructor(
    private readonly root: string,
    private readonly repository?: Repository,
    private readonly span: RevisionSpan = { type: 'worktree' },
  ) {}

  async has(path: string): Promise<boolean> {
    return (await this.#all()).has(path);
  }

  /** Those of some files. */
  async among(paths: readonly string[]): Promise<readonly string[]> {
    if (paths.length === 0) return [];
    const names = await this.#all();
    return paths.filter((path) => names.has(path));
  }

  #all(): Promise<ReadonlySet<string>> {
    this.#names ??= this.#read();
    return this.#names;
  }

  async #read(): Promise<ReadonlySet<string>> {
    const { root, repository, span } = this;
    const earlier = repository && (await casesBefore(root, repository, span));
    const users = [
      ...(await tapeUsersIn(root)),
      ...(earlier === undefined || earlier.size === 0 ? [] : await tapeUsersIn(root, earlier)),
    ];
    const realRoot = (await realPath(root)) ?? root;
    const names = new Set<string>();
    for (const tape of new Set(users.flatMap(({ tapes }) => tapes))) {
      names.add(fromRoot(root, tape));
      // Where a link leads to a tape, git has the tape's content at its own path.
      const place = await unlessUnreadable(realPath(tape));
      if (place !== undefined) names.add(fromRoot(realRoot, place));
    }
    return names;
  }
}

/** Files by their names, and those that were found to be tapes of cases. */
export function withCaseTapes({ isWanted, mayHoldWanted }: WantedFiles, tapes: readonly string[]): WantedFiles {
  const named = onlyFiles(tapes);
  return {
    isWanted: (path) => named.isWanted(path) || isWanted(path),
    mayHoldWanted: (folder) => named.mayHoldWanted(folder) || mayHoldWanted(folder),
  };
}
