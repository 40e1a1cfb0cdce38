import { UserError } from '../errors/userError';
import type { NetworkPolicy } from '../network/policy';
import type { McpBeside } from './addressedMcp';
import type { ProxyMode } from './session/sessionOptions';

interface McpSender {
  readonly mode: ProxyMode;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly network: NetworkPolicy;
}

/** A message to an MCP server is sent with as much care as any request: no key of another host goes along. */
export function admitted({ mode, environment, network }: McpSender, mcp: McpBeside): McpBeside['takes'] {
  return async (request, response, addressed) => {
    if (mode !== 'replay') {
      const { requireNoForeignKey } = await import('../network/foreignKeys');
      try {
        await requireNoForeignKey(addressed.target, request.rawHeaders, environment, network.keys);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        // As any other request it is refused, and that is reported.
        return false;
      }
    }
    return mcp.takes(request, response, addressed);
  };
}
