import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProviderSpec } from '../../core/cases/case';
import { CONFIG_FILE } from '../../core/project/layout';
import { NO_CONFIG, type ProjectConfig, readConfig } from '../../core/project/readConfig';
import { unlessMissing } from '../recording/fileErrors';
import { CaseError, problemFailures } from '../runs/failures';

/** The `tapedeck.toml` of a project. Rejects with a `CaseError` when it cannot be understood. */
export async function projectConfig(root: string): Promise<ProjectConfig> {
  const text = await unlessMissing(readFile(join(root, CONFIG_FILE), 'utf8'));
  if (text === undefined) return NO_CONFIG;
  const { value, problems } = readConfig(text);
  if (value === undefined) throw new CaseError(problemFailures(CONFIG_FILE, text, problems));
  return value;
}

/** The provider of `tapedeck.toml`, for cases without one. Rejects with a `CaseError` when that file is wrong. */
export async function projectProvider(root: string): Promise<ProviderSpec | undefined> {
  return (await projectConfig(root)).provider;
}
