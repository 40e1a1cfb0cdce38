import * as vscode from 'vscode';
import { AGENT_TOOLS, type AgentTool } from '../../protocol/agentTools';
import type { CallToolParams } from '../../protocol/engine';
import { fileExists } from '../base/files';
import { HumanError } from '../base/humanError';

/** Calls a tool in the engine, so that the editor's models get the same results as from `tapedeck mcp`. */
export type CallTool = (params: CallToolParams, signal: AbortSignal) => Promise<string>;

/** Offers the tools to the editor's language models, under the names in package.json. */
export function registerAgentTools(call: CallTool, requireTrust: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    ...AGENT_TOOLS.map((tool) =>
      vscode.lm.registerTool(`tapedeck_${tool.name}`, new EngineTool(tool, call, requireTrust)),
    ),
  );
}

type Input = Readonly<Record<string, unknown>>;

class EngineTool implements vscode.LanguageModelTool<Input> {
  constructor(
    private readonly tool: AgentTool,
    private readonly call: CallTool,
    private readonly requireTrust: () => void,
  ) {}

  prepareInvocation({ input }: vscode.LanguageModelToolInvocationPrepareOptions<Input>): vscode.PreparedToolInvocation {
    const about = named(input);
    const invocationMessage = `Tapedeck: ${this.tool.title}${about === undefined ? '' : ` ${about}`}`;
    if (!this.tool.runs) return { invocationMessage };
    const message = `This runs the agent of ${about ?? 'the case'} offline, with its recorded responses.`;
    return { invocationMessage, confirmationMessages: { title: 'Replay a case?', message } };
  }

  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<Input>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    if (this.tool.runs) this.requireTrust();
    const abort = new AbortController();
    const cancellation = token.onCancellationRequested(() => abort.abort());
    try {
      const roots = await rootsFor(input);
      const call = (root: string) => this.call({ root, name: this.tool.name, input }, abort.signal);
      const texts = await Promise.all(roots.map(call));
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(texts.join('\n'))]);
    } finally {
      cancellation.dispose();
    }
  }
}

/** The project of the file in `input`; all projects of the workspace if it names none. */
async function rootsFor(input: Input): Promise<readonly string[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) throw new HumanError('No folder is open. Open your project folder first.');
  const path = named(input);
  if (path === undefined) return folders.map(({ uri }) => uri.fsPath);
  for (const { uri } of folders) if (await fileExists(vscode.Uri.joinPath(uri, path))) return [uri.fsPath];
  // The engine has the best message about a wrong path.
  return folders.slice(0, 1).map(({ uri }) => uri.fsPath);
}

function named({ case: casePath, tape }: Input): string | undefined {
  return [casePath, tape].find((path): path is string => typeof path === 'string');
}
