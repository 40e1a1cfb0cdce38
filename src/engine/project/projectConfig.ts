import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProviderSpec } from '../../core/cases/case';
import { CONFIG_FILE } from '../../core/project/layout';
import { readConfig } from '../../core/project/readConfig';
import { CaseError, problemFailures } from '../runs/failures';
import { isSystemError } from './userError';

/** The provider of `tapedeck.toml`, for cases without one. Rejects with a `CaseError` when that file is wrong. */
export async function projectProvider(root: string): Promise<ProviderSpec | undefined> {
  let text: string;
  try {
    text = await readFile(join(root, CONFIG_FILE), 'utf8');
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const { value, problems } = readConfig(text);
  if (value === undefined) throw new CaseError(problemFailures(CONFIG_FILE, text, problems));
  return value.provider;
}
