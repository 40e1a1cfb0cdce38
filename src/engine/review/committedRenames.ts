import { join } from 'node:path';
import { REVIEWS_FOLDER } from '../../core/project/layout';
import { pathExists } from '../files/fileStatus';
import type { Repository } from '../git/repository';
import { OwnState } from '../project/ownState';
import { withRenames } from './renames';

/** What tapes were called before a commit renamed them, as far as something was decided under that name. */
export class CommittedRenames {
  /** The names of tapes that are gone, with decisions. */
  #gone: Promise<ReadonlySet<string>> | undefined;

  constructor(
    private readonly root: string,
    private readonly repository: Repository,
    /** The path from the root of a path from the top of the repository. */
    private readonly inProject: (path: string) => string,
  ) {}

  /** The name of a tape before the last commit that changed it, from the root. `path` is from the top. */
  async nameOf(path: string): Promise<string | undefined> {
    this.#gone ??= this.#decidedAndGone();
    const gone = await this.#gone;
    if (gone.size === 0) return undefined;
    const [last] = await this.repository.commitsOf(path, 1);
    if (last === undefined) return undefined;
    const isWanted = (one: string): boolean => one === path || gone.has(this.inProject(one));
    const span = { type: 'since', revision: `${last.revision}^..${last.revision}` } as const;
    const changed = this.repository.changedEntries(span, { isWanted, mayHoldWanted: () => true });
    // The first commit has none before it, and renamed nothing.
    const entries = await changed.catch(() => []);
    const from = (await withRenames(this.repository, entries)).find((entry) => entry.path === path)?.from;
    return from && this.inProject(from);
  }

  async #decidedAndGone(): Promise<ReadonlySet<string>> {
    const files = await new OwnState(this.root).files(REVIEWS_FOLDER);
    const names = files.flatMap((file) => /^(.+)\.decisions\.json$/.exec(file)?.[1] ?? []);
    return new Set(names.filter((name) => !pathExists(join(this.root, name))));
  }
}
