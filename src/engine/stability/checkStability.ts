import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { caseKindOf } from '../../core/cases/registry';
import type { Failure } from '../../core/model/run';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { CONFIG_FILE } from '../../core/project/layout';
import { type Stability, stabilityOf } from '../../core/stability/stabilityReport';
import { readToml } from '../../core/toml/readToml';
import { fromRoot, withSlashes } from '../files/projectPaths';
import { readText, readTextIfThere } from '../files/readFile';
import { tapeUsersIn } from '../project/caseTapes';
import { projectConfig } from '../project/projectConfig';
import { recordTakes, type TakesOptions } from './recordTakes';

/** The outcome of recording a case several times. Paths are from the project's root. */
export interface CaseStability {
  readonly name: string;
  readonly casePath: string;
  readonly paths: readonly string[];
  readonly failed: readonly { readonly take: number; readonly failure: Failure }[];
  /** Absent if fewer than two takes finished: then there is nothing to compare. */
  readonly stability?: Stability;
}

/** Records a case several times, without replacing its tape, and compares the takes by the rules of the project and the case. */
export async function checkStability(casePath: string, options: TakesOptions): Promise<CaseStability> {
  const { root } = options;
  const { normalise } = await projectConfig(root);
  const { name, takes, failed } = await recordTakes(casePath, options);
  const [first, second] = takes;
  const outcome = {
    name,
    casePath: fromRoot(root, casePath),
    paths: takes.map(({ path }) => fromRoot(root, path)),
    failed,
  };
  if (first === undefined || second === undefined) return outcome;
  const caseText = await tomlCase(parseCaseAddress(casePath).path);
  const context = {
    rules: normalise,
    hasRules: await hasRules(root),
    cases: (await tapeUsersIn(root)).length,
    format: first.stored.format,
    ...(caseText !== undefined && { caseText }),
  };
  return { ...outcome, stability: stabilityOf(takes, context) };
}

async function tomlCase(path: string): Promise<string | undefined> {
  const text = await readText(path, FILE_LIMITS.case);
  return caseKindOf(text, withSlashes(path))?.id === 'toml' ? text : undefined;
}

async function hasRules(root: string): Promise<boolean> {
  const text = (await readTextIfThere(join(root, CONFIG_FILE), FILE_LIMITS.config)) ?? '';
  return Object.hasOwn(readToml(text).value?.root ?? {}, 'normalise');
}
