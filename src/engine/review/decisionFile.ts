import { join } from 'node:path';
import type { ReviewSubject } from '../../contracts/engine/review';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { decisionPath, decisionPathOf } from '../../core/project/layout';
import { type Decision, type Decisions, decide, readDecisions, writeDecisions } from '../../core/review/decisions';
import { mergeDecisions, type Remainder } from '../../core/review/mergeDecisions';
import { entryInProject, fromRoot } from '../files/projectPaths';
import { readTextIfThere } from '../files/readFile';
import { writeInProject } from '../files/writeFile';
import { OwnState } from '../project/ownState';

/** Where the decisions on a subject are kept; absolute. A baseline shares them with the run of its case. */
export function decisionFileOf(root: string, { kind, path }: ReviewSubject): string {
  return join(root, kind === 'run' ? decisionPath(path) : decisionPathOf(path));
}

/**
 * The decisions that count in a project: its user's own. A file that came with a commit decides nothing, because a commit must
 * not accept itself.
 */
export class OwnDecisions {
  readonly #state: OwnState;

  constructor(private readonly root: string) {
    this.#state = new OwnState(root);
  }

  /** The decisions in a file; none if it is missing or broken. */
  async read(path: string): Promise<Decisions> {
    return readDecisions((await this.#state.readText(fromRoot(this.root, path), FILE_LIMITS.decisions)) ?? '');
  }

  /** Rejects with a `UserError` for a file in which a decision would not count, or cannot be written. */
  async requireCounted(path: string): Promise<void> {
    await entryInProject(this.root, path);
    await this.#state.requireUncommitted(fromRoot(this.root, path));
  }
}

async function readDecisionFile(path: string): Promise<Decisions> {
  return readDecisions((await readTextIfThere(path, FILE_LIMITS.decisions)) ?? '');
}

interface RememberedDecision {
  readonly root: string;
  /** The decision file. */
  readonly path: string;
  readonly verdict: Decision;
  readonly ids: readonly string[];
  readonly reason?: string;
  readonly remainder?: Remainder;
}

/** Adds a decision to a decision file, atomically. Without a reason, changes that had this verdict before keep theirs. */
export async function rememberDecision(decision: RememberedDecision): Promise<void> {
  const { root, path, verdict, ids, reason, remainder } = decision;
  const known = await readDecisionFile(path);
  const changed = reason === undefined ? ids.filter((id) => known[id]?.verdict !== verdict) : ids;
  const decided = decide(known, changed, verdict, reason);
  const kept = remainder === undefined ? decided : mergeDecisions(known, decided, remainder);
  await writeInProject(root, path, writeDecisions(kept));
}
