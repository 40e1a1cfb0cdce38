import { dirname } from 'node:path';
import type { ExternalAgent } from '../../../core/model/case';
import type { McpServers } from '../../mcpTape/mcpServers';
import type { BesideRun } from '../../proxy/addressedMcp';
import type { ProxyOptions } from '../../proxy/openProxy';
import type { ExecuteOptions } from '../runnableCase';

interface AgentOfCase {
  readonly agent: ExternalAgent;
  readonly options: Pick<ExecuteOptions, 'casePath' | 'onNotice'>;
}

/** The MCP servers of the user's own agent, led through the tape. */
export async function openServers(
  { mode, root, tapePath, config, rules, network, environment, journal }: ProxyOptions,
  { agent, options: { casePath, onNotice } }: AgentOfCase,
  run: BesideRun,
): Promise<McpServers> {
  const { openMcpServers } = await import('../../mcpTape/mcpServers');
  const given = {
    file: agent.kind === 'program' ? agent.mcpConfig : undefined,
    plan: { mode, root, tapePath, format: config.proxy.format, rules, network },
    cwd: dirname(casePath),
    environment,
    journal,
    onProblem: (message: string) => onNotice?.(message),
  };
  return openMcpServers(given, run);
}
