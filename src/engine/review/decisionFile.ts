import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { decisionPath, decisionPathOf } from '../../core/project/layout';
import { type Decision, type Decisions, decide, readDecisions, writeDecisions } from '../../core/review/decisions';
import type { ReviewSubject } from '../../protocol/review';
import { readTextIfThere } from '../files/readFile';
import { writeInProject } from '../files/writeFile';

/** Where the decisions on a subject are kept; absolute. A baseline shares them with the run of its case. */
export function decisionFileOf(root: string, { kind, path }: ReviewSubject): string {
  return join(root, kind === 'run' ? decisionPath(path) : decisionPathOf(path));
}

/** The decisions in a file; none where it is missing or broken. */
export async function readDecisionFile(path: string): Promise<Decisions> {
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
