import * as vscode from 'vscode';
import type { AgentTool } from '../../contracts/agentTools';
import type { AgentCase } from '../../contracts/engine/agentCases';
import type { CallToolParams } from '../../contracts/engine/engine';
import { t } from '../../core/text/l10n';
import { fileExists } from '../base/files';
import { HumanError } from '../base/humanError';
import type { AgentCaseAddress, AgentPermissions } from './agentPermissions';

/** Calls a tool in the engine, so that the editor's models get the same results as from `tapedeck mcp`. */
export type CallTool = (params: Omit<CallToolParams, 'keys'>, signal: AbortSignal) => Promise<string>;

/** The arguments that a model gives. */
export type Input = Readonly<Record<string, unknown>>;

/** A case whose replay starts a program or calls a service. */
interface StartingCase {
  readonly address: AgentCaseAddress;
  readonly agentCase: AgentCase;
}

/** A tool that the engine serves. */
export class EngineTool implements vscode.LanguageModelTool<Input> {
  constructor(
    private readonly tool: AgentTool,
    private readonly call: CallTool,
    private readonly permissions: Pick<AgentPermissions, 'find' | 'ask'>,
    private readonly requireTrust: () => void,
  ) {}

  async prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<Input>): Promise<vscode.PreparedToolInvocation> {
    const about = named(input);
    const invocationMessage = t('Tapedeck: {0}{1}', this.tool.title, about === undefined ? '' : ` ${about}`);
    if (!this.tool.runs) return { invocationMessage };
    const message = await this.#describeReplay(input, about ?? t('the case'));
    return { invocationMessage, confirmationMessages: { title: t('Replay a case?'), message } };
  }

  /** What the replay will do: what it starts is shown in full. */
  async #describeReplay(input: Input, about: string): Promise<vscode.MarkdownString> {
    const message = new vscode.MarkdownString();
    let found: StartingCase | undefined;
    try {
      found = await this.#agentCase(input);
    } catch (error) {
      // The call itself then fails for the same reason.
      return message.appendText(
        t('This cannot replay {0}: {1}', about, error instanceof Error ? error.message : String(error)),
      );
    }
    if (found === undefined)
      return message.appendText(
        t('This replays {0} with its recorded responses. It starts no program of the project.', about),
      );
    const { starts, shown, details, isAllowed } = found.agentCase;
    message.appendText(
      t('This replays {0}, which {1}:', about, starts === 'program' ? t('runs this command') : t('calls this service')),
    );
    message.appendCodeblock([shown, ...details].join('\n'), 'text');
    const allowed = t('Coding agents are allowed to run it in this project.');
    return message.appendText(isAllowed ? allowed : t('It is not allowed for coding agents yet: you will be asked.'));
  }

  /** What the case starts, with its address; undefined if nothing, or if there is no such case, which the call reports. */
  async #agentCase(input: Input): Promise<StartingCase | undefined> {
    const casePath = named(input);
    const [root] = await rootsFor(input);
    if (casePath === undefined || root === undefined) return undefined;
    const address = { root, casePath };
    const agentCase = await this.permissions.find(address);
    return agentCase && { address, agentCase };
  }

  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<Input>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    // The other tools only read, and still start the engine.
    this.requireTrust();
    if (this.tool.runs) await this.#requireAllowed(input);
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

  /** Asks here for a case that is not allowed: the confirmation of a chat may have been given for good. */
  async #requireAllowed(input: Input): Promise<void> {
    const found = await this.#agentCase(input);
    if (found === undefined || found.agentCase.isAllowed) return;
    const { address, agentCase } = found;
    if (!(await this.permissions.ask(address, address.casePath, agentCase)))
      throw new HumanError(`The user did not allow coding agents to replay ${address.casePath}.`);
  }
}

/** The project of the file in `input`; all projects of the workspace if it names none. */
async function rootsFor(input: Input): Promise<readonly string[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) throw new HumanError(t('No folder is open. Open your project folder first.'));
  const path = named(input);
  if (path === undefined) return folders.map(({ uri }) => uri.fsPath);
  for (const { uri } of folders) if (await fileExists(vscode.Uri.joinPath(uri, path))) return [uri.fsPath];
  // The engine has the best message about a wrong path.
  return folders.slice(0, 1).map(({ uri }) => uri.fsPath);
}

function named({ case: casePath, tape }: Input): string | undefined {
  return [casePath, tape].find((path): path is string => typeof path === 'string');
}
