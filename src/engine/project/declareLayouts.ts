import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { CONFIG_FILE } from '../../core/project/layout';
import { declareLayouts } from '../../core/tapes/declaredLayouts';
import { readTextIfThere } from '../files/readFile';
import { findRoot } from './findRoot';

/** What a `tapedeck.toml` with layouts has, so that the TOML reader is not loaded for any other. */
const LAYOUTS = /\btapes\b/;

/** Reads the files of a project by the layouts of its `tapedeck.toml`. A broken one declares none: whoever needs it reports that. */
export async function declareLayoutsOf(root: string): Promise<void> {
  const text = await readTextIfThere(join(root, CONFIG_FILE), FILE_LIMITS.config).catch(() => undefined);
  if (text === undefined || !LAYOUTS.test(text)) {
    declareLayouts(root, []);
    return;
  }
  const { readConfig } = await import('../../core/project/readConfig');
  declareLayouts(root, readConfig(text).value?.layouts ?? []);
}

/** The same for the project that a folder is in. */
export async function declareLayoutsAt(folder: string): Promise<void> {
  await declareLayoutsOf(findRoot(folder, folder));
}
