import * as nodeModule from 'node:module';
import { version } from './version';

/** From Node 22.8 on. */
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };

/** Commands that load little, or whose process the editor ends before Node has kept anything. */
const LOADING_LITTLE: ReadonlySet<string | undefined> = new Set(['rpc', 'serve', 'help', undefined]);

/**
 * Lets Node keep the compiled code of what a command loads for its next start, which is about a fifth of the work of a
 * short one. Node rejects what was compiled from another source or by another version, and what is damaged.
 */
export async function keepCompiledCode(command: string | undefined): Promise<void> {
  if (enableCompileCache === undefined || LOADING_LITTLE.has(command) || command?.startsWith('-')) return;
  const { privateStateFolder } = await import('./files/userState');
  const folder = await privateStateFolder('compiled', version);
  if (folder !== undefined) enableCompileCache(folder);
}
