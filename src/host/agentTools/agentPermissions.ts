import * as vscode from 'vscode';
import type { AgentCase } from '../../protocol/agentCases';
import { enginePathOf, relativeCasePath } from '../base/caseUri';
import { confirm, oneLine } from '../base/confirm';
import { HumanError } from '../base/humanError';
import { requireTrust } from '../base/trust';
import type { EngineClient } from '../engine/engineClient';
import type { CaseEntry } from '../stores/caseEntry';

/** A case in its project, as the engine or a model names it. */
export interface AgentCaseAddress {
  readonly root: string;
  readonly casePath: string;
}

/**
 * Which cases coding agents may replay by themselves, though they start a program or call a service. A person allows each,
 * having seen its command; the engine remembers it outside of the project, until the case changes.
 */
export class AgentPermissions {
  constructor(private readonly engine: Pick<EngineClient, 'call'>) {}

  /** What a replay of the case starts; undefined if nothing. */
  async find(address: AgentCaseAddress): Promise<AgentCase | undefined> {
    requireTrust();
    return (await this.engine.call('agentCase', address)) ?? undefined;
  }

  /** Asks a person to allow the case. False when the person declines. */
  async ask(address: AgentCaseAddress, name: string, { starts, shown, details, stamp }: AgentCase): Promise<boolean> {
    const isProgram = starts === 'program';
    const isAllowed = await confirm({
      title: `Let coding agents replay ${oneLine(name)}?`,
      action: 'Allow',
      isWarning: true,
      sections: [
        {
          title: isProgram ? 'A replay of the case runs this command:' : 'A replay of the case calls this service:',
          lines: [oneLine(shown), ...details.map(oneLine)],
        },
        {
          lines: [
            isProgram
              ? 'Coding agents can then run this command, with whatever the program has become, without asking again until the case changes.'
              : 'Coding agents can then call this service, whatever it does, without asking again until the case changes.',
          ],
        },
      ],
    });
    if (isAllowed) await this.engine.call('allowAgentCase', { ...address, stamp });
    return isAllowed;
  }

  /** Allows a case that the user has chosen. */
  async allow({ uri, folder }: CaseEntry): Promise<void> {
    const address = { root: folder.uri.fsPath, casePath: enginePathOf(uri) };
    const name = relativeCasePath(uri);
    const found = await this.find(address);
    if (found === undefined) say(`Coding agents can already replay ${name}: it starts nothing, and calls nobody.`);
    else if (found.isAllowed) say(`Coding agents are already allowed to replay ${name}.`);
    else if (await this.ask(address, name, found)) say(`Coding agents can now replay ${name}, until it changes.`);
  }

  /** Withdraws what was allowed in the projects of this window. */
  async withdraw(): Promise<void> {
    requireTrust();
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (folders.length === 0) throw new HumanError('No folder is open. Open the folder of your project first.');
    const calls = folders.map(({ uri }) => this.engine.call('withdrawAgentCases', { root: uri.fsPath }));
    const count = (await Promise.all(calls)).reduce((sum, one) => sum + one, 0);
    say(
      count === 0
        ? 'No cases were allowed in this workspace.'
        : `Coding agents can no longer replay the ${count} case${count === 1 ? '' : 's'} that ${count === 1 ? 'was' : 'were'} allowed.`,
    );
  }
}

function say(message: string): void {
  void vscode.window.showInformationMessage(message);
}
