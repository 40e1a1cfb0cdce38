import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { ProviderSpec } from '../../core/model/case';
import { CONFIG_FILE } from '../../core/project/layout';
import { NO_CONFIG, type ProjectConfig } from '../../core/project/projectConfig';
import { readTextIfThere } from '../files/readFile';

/** The `tapedeck.toml` of a project. Rejects with a `CaseError` when it is invalid. */
export async function projectConfig(root: string): Promise<ProjectConfig> {
  const text = await readTextIfThere(join(root, CONFIG_FILE), FILE_LIMITS.config);
  return text === undefined ? NO_CONFIG : parseConfig(text);
}

/** The configuration that a `tapedeck.toml` with this text is. Rejects with a `CaseError` when it is invalid. */
export async function parseConfig(text: string): Promise<ProjectConfig> {
  // Many of them only mark the root: for an empty one, the TOML reader is not loaded.
  if (isBlank(text)) return NO_CONFIG;
  const { readConfig } = await import('../../core/project/readConfig');
  const { value } = readConfig(text);
  if (value !== undefined) return value;
  const { CaseError, problemFailures } = await import('../errors/failures');
  throw new CaseError(problemFailures(CONFIG_FILE, text, () => readConfig(text).problems));
}

/** The configuration, or the default one, whose rules are the strictest, if it is broken, which others report. */
export async function validConfig(root: string): Promise<ProjectConfig> {
  try {
    return await projectConfig(root);
  } catch (error) {
    const { CaseError } = await import('../errors/failures');
    if (error instanceof CaseError) return NO_CONFIG;
    throw error;
  }
}

/** What the `tapedeck.toml` of a project says without effect, as lines for the terminal; none if it is absent or invalid. */
export async function configNotices(root: string): Promise<readonly string[]> {
  const text = await readTextIfThere(join(root, CONFIG_FILE), FILE_LIMITS.config);
  if (text === undefined || isBlank(text)) return [];
  const { readConfig } = await import('../../core/project/readConfig');
  const { value, problems } = readConfig(text);
  if (value === undefined || problems.length === 0) return [];
  const { problemNotices } = await import('../errors/failures');
  return problemNotices(text, problems).map((notice) => `${CONFIG_FILE}: ${notice}`);
}

/** The provider of `tapedeck.toml`, for cases without one. Rejects with a `CaseError` when that file is invalid. */
export async function projectProvider(root: string): Promise<ProviderSpec | undefined> {
  return (await projectConfig(root)).provider;
}

/** Whether there is only white space and comments. */
function isBlank(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:#|$)/.test(line));
}
