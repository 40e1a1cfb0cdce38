import { dirname, isAbsolute, join, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { type FlakestormConfig, readContractFile, readFlakestormConfig } from '../../core/flakestorm/config';
import type { Contract } from '../../core/flakestorm/contract';
import { CaseError, caseFailure, problemFailures } from '../errors/failures';
import { isSystemError, systemReason } from '../errors/systemError';
import { fromRoot, isInside } from '../files/projectPaths';
import { readText } from '../files/readFile';

const NAMES = ['flakestorm.yaml', 'flakestorm.yml'];

interface FoundConfig {
  readonly config: FlakestormConfig;
  /** Absolute. */
  readonly path: string;
}

/** The nearest `flakestorm.yaml`, from `folder` up to `root`; undefined if there is none. */
export async function findConfig(folder: string, root: string): Promise<FoundConfig | undefined> {
  for (const name of NAMES) {
    const path = join(folder, name);
    const text = await textOf(path);
    if (text === undefined) continue;
    const { value } = readFlakestormConfig(text);
    if (value === undefined)
      throw new CaseError(problemFailures(fromRoot(root, path), text, () => readFlakestormConfig(text).problems));
    return { config: value, path };
  }
  const parent = dirname(folder);
  return parent === folder || !isInside(root, parent) ? undefined : findConfig(parent, root);
}

/**
 * The contract that a session names: the configuration's contract of that name, else the file at that path. Undefined where
 * there is neither; Flakestorm then only requires that the agent responds.
 */
export async function resolveContract(
  reference: string,
  config: FlakestormConfig | undefined,
  folder: string,
): Promise<Contract | undefined> {
  if (config?.contract?.name === reference) return config.contract;
  const path = isAbsolute(reference) ? reference : resolve(folder, reference);
  const text = await textOf(path);
  if (text === undefined) return undefined;
  const { value } = readContractFile(text);
  if (value === undefined) throw new CaseError(problemFailures(reference, text, () => readContractFile(text).problems));
  return value;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readText(path, FILE_LIMITS.config);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR') return undefined;
    throw new CaseError([caseFailure(() => `${path}: ${systemReason(error)}`)]);
  }
}
