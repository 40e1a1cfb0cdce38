import { join } from 'node:path';
import type { ReviewSubject } from '../../contracts/engine/review';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { decisionPath, decisionPathOf, STATE_FOLDER } from '../../core/project/layout';
import { TrackedState } from '../../core/project/trackedState';
import { type Decision, type Decisions, decide, readDecisions, writeDecisions } from '../../core/review/decisions';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { fromRoot } from '../files/projectPaths';
import { readTextIfThere } from '../files/readFile';
import { writeInProject } from '../files/writeFile';
import { Repository } from '../git/repository';

/** Where the decisions on a subject are kept; absolute. A baseline shares them with the run of its case. */
export function decisionFileOf(root: string, { kind, path }: ReviewSubject): string {
  return join(root, kind === 'run' ? decisionPath(path) : decisionPathOf(path));
}

/**
 * The decisions that count in a project: those of its user, in files that git does not track. A file that came with a commit
 * decides nothing, because a commit must not accept itself. Git is asked once, and only when there is a decision.
 */
export class OwnDecisions {
  #tracked: Promise<TrackedState> | undefined;

  constructor(private readonly root: string) {}

  /** The decisions in a file; none if it is missing or broken. */
  async read(path: string): Promise<Decisions> {
    const decisions = await readDecisionFile(path);
    return Object.keys(decisions).length > 0 && (await this.#isTracked(path)) ? {} : decisions;
  }

  /** Rejects with a `UserError` for a file in which a decision would not count. */
  async requireCounted(path: string): Promise<void> {
    if (!(await this.#isTracked(path))) return;
    throw new UserError(
      t('{0} is committed, and committed decisions do not count', fromRoot(this.root, path)),
      t('Leave {0}/ out of git: git rm -r --cached {0}, and a line {0}/ in .gitignore.', STATE_FOLDER),
    );
  }

  async #isTracked(path: string): Promise<boolean> {
    this.#tracked ??= trackedState(this.root).then((paths) => new TrackedState(paths));
    return (await this.#tracked).holds(fromRoot(this.root, path));
  }
}

/** What git tracks at the place of the project's state, from the root. */
export async function trackedState(root: string): Promise<readonly string[]> {
  const repository = await Repository.of(root);
  if (repository === undefined) return [];
  const top = await repository.pathOf(root, '.');
  const paths = await repository.trackedUnder(await repository.pathOf(root, STATE_FOLDER));
  return paths.map((path) => (top === '' ? path : path.slice(top.length + 1)));
}

async function readDecisionFile(path: string): Promise<Decisions> {
  return readDecisions((await readTextIfThere(path, FILE_LIMITS.decisions)) ?? '');
}

export interface RememberedDecision {
  readonly root: string;
  /** The decision file. */
  readonly path: string;
  readonly verdict: Decision;
  readonly ids: readonly string[];
  readonly reason?: string;
}

/** Adds a decision to a decision file, atomically. Without a reason, changes that had this verdict before keep theirs. */
export async function rememberDecision({ root, path, verdict, ids, reason }: RememberedDecision): Promise<void> {
  const known = await readDecisionFile(path);
  const changed = reason === undefined ? ids.filter((id) => known[id]?.verdict !== verdict) : ids;
  const text = writeDecisions(decide(known, changed, verdict, reason));
  await writeInProject(root, path, text);
}
