import * as vscode from 'vscode';
import { AGENT_TOOL_NAMES, type AgentToolName } from '../../contracts/agentToolNames';
import type { AgentPermissions } from './agentPermissions';
import type { CallTool, EngineTool, Input } from './engineTool';

/** Offers the tools to the editor's language models, under the names in package.json. They are loaded when one is called. */
export function registerAgentTools(
  call: CallTool,
  permissions: () => Promise<AgentPermissions>,
  requireTrust: () => void,
): vscode.Disposable {
  const open = async (name: AgentToolName): Promise<EngineTool> => {
    const [{ EngineTool }, { agentTool }] = await Promise.all([
      import('./engineTool'),
      import('../../contracts/agentTools'),
    ]);
    return new EngineTool(agentTool(name), call, await permissions(), requireTrust);
  };
  const offered = AGENT_TOOL_NAMES.map((name) => {
    const tool: vscode.LanguageModelTool<Input> = {
      prepareInvocation: async (options) => (await open(name)).prepareInvocation(options),
      invoke: async (options, token) => (await open(name)).invoke(options, token),
    };
    return vscode.lm.registerTool(`tapedeck_${name}`, tool);
  });
  return vscode.Disposable.from(...offered);
}
