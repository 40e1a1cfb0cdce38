import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { CLIENT_CONFIGS } from '../../core/mcp/clientServers';
import { clientEnvironments } from '../../core/secrets/clientEnvironments';
import type { Environment } from '../../core/secrets/environmentSecrets';
import { isSystemError } from '../errors/systemError';
import { readTextIfThere } from '../files/readFile';

/** What the configurations of MCP clients in a project give their servers, whose answers may repeat it. */
export async function environmentsOfClients(root: string): Promise<Environment[]> {
  const texts = await Promise.all(CLIENT_CONFIGS.map((name) => textOf(join(root, name))));
  return texts.flatMap((text) => (text === undefined ? [] : clientEnvironments(text)));
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readTextIfThere(path, FILE_LIMITS.case);
  } catch (error) {
    // It is somebody else's file, which need not be one.
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
