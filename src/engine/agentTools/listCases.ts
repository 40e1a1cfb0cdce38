import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { recordedTape, replayTape } from '../../core/cases/case';
import { readCase } from '../../core/cases/readCase';
import { prettyJson } from '../../core/json/json';
import { fromRoot } from '../project/caseFiles';
import { findCases } from '../project/findCases';
import { openReview } from '../runs/decisions';

/** The cases of a project as JSON: `[{case, name, tape, lastRun, changes}]`. */
export async function listCases(root: string): Promise<string> {
  const { casePaths } = findCases([root]);
  return prettyJson(await Promise.all(casePaths.map((path) => describe(root, path))));
}

async function describe(root: string, casePath: string): Promise<unknown> {
  const path = fromRoot(root, casePath);
  const { value, problems } = readCase(await readFile(casePath, 'utf8'));
  if (value === undefined) return { case: path, problem: problems[0]?.message };
  const tape = replayTape(value.llm) ?? recordedTape(value.llm);
  const review = await openReview(root, casePath);
  return {
    case: path,
    name: value.name,
    tape: tape === undefined ? null : posix.join(posix.dirname(path), tape),
    lastRun: review?.artifact.status ?? null,
    changes: review?.baseline === undefined ? null : review.changes.map(({ field }) => field),
  };
}
