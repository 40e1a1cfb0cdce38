import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { CaseListing } from '../../core/cases/caseKind';
import { caseKindOf } from '../../core/cases/registry';
import { prettyJson } from '../../core/json/json';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { fromRoot } from '../project/caseFiles';
import { findCases } from '../project/findCases';
import { openReview } from '../runs/decisions';

/** The cases of a project as JSON: `[{case, name, kind, tape, lastRun, changes}]`. */
export async function listCases(root: string): Promise<string> {
  const { casePaths } = findCases([root]);
  return prettyJson(await Promise.all(casePaths.map((path) => describe(root, path))));
}

async function describe(root: string, casePath: string): Promise<unknown> {
  const address = fromRoot(root, casePath);
  const { path, id } = parseCaseAddress(casePath);
  const text = await readFile(path, 'utf8');
  const kind = caseKindOf(text, path.replaceAll('\\', '/'));
  const { cases, problems }: CaseListing = kind?.list(text, path.replaceAll('\\', '/')) ?? { cases: [], problems: [] };
  const listed = cases.find((one) => one.id === id);
  if (listed === undefined) return { case: address, problem: problems[0]?.message };
  const [tape] = listed.tapes;
  const review = await openReview(root, casePath);
  return {
    case: address,
    name: listed.name,
    kind: kind?.label,
    tape: tape === undefined ? null : posix.join(posix.dirname(address), tape),
    lastRun: review?.artifact.status ?? null,
    changes: review?.baseline === undefined ? null : review.comparison.changes.map(({ title }) => title),
  };
}
