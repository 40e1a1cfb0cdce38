import * as vscode from 'vscode';
import type { AgentCase } from '../../contracts/engine/agentCases';
import { t } from '../../core/text/l10n';
import { enginePathOf, relativeCasePath } from '../base/caseUri';
import { confirm, oneLine } from '../base/confirm';
import { HumanError } from '../base/humanError';
import { requireTrust } from '../base/trust';
import type { EngineClient } from '../engine/engineClient';
import type { CaseEntry } from '../stores/cases/caseEntry';

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
      title: t('Let coding agents replay {0}?', oneLine(name)),
      action: t('Allow'),
      isWarning: true,
      sections: [
        {
          title: isProgram
            ? t('A replay of the case runs this command:')
            : t('A replay of the case calls this service:'),
          lines: [oneLine(shown), ...details.map(oneLine)],
        },
        {
          lines: [
            isProgram
              ? t(
                  'Coding agents can then run this command, with whatever the program has become, without asking again until the case changes.',
                )
              : t(
                  'Coding agents can then call this service, whatever it does, without asking again until the case changes.',
                ),
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
    if (found === undefined) say(t('Coding agents can already replay {0}: it starts nothing, and calls nobody.', name));
    else if (found.isAllowed) say(t('Coding agents are already allowed to replay {0}.', name));
    else if (await this.ask(address, name, found)) say(t('Coding agents can now replay {0}, until it changes.', name));
  }

  /** Withdraws the permission of a case, or of those that the user chooses from all that are allowed in this window. */
  async withdraw(entry?: CaseEntry): Promise<void> {
    requireTrust();
    const allowed = (await Promise.all(projectFolders().map((folder) => this.#allowedIn(folder)))).flat();
    const withdrawn = entry === undefined ? await choose(allowed) : allowed.filter((one) => isCase(one, entry));
    if (withdrawn === undefined) return;
    for (const { root } of projectFolders()) {
      const cases = withdrawn.filter((one) => one.root === root).map(({ casePath }) => casePath);
      if (cases.length > 0) await this.engine.call('withdrawAgentCases', { root, cases });
    }
    say(describeWithdrawn(withdrawn, entry));
  }

  async #allowedIn({ root, name }: ProjectFolder): Promise<readonly AllowedCase[]> {
    const cases = await this.engine.call('allowedAgentCases', { root });
    return cases.map((casePath) => ({ root, casePath, folder: name }));
  }
}

interface ProjectFolder {
  readonly root: string;
  readonly name: string;
}

interface AllowedCase extends AgentCaseAddress {
  /** The name of the workspace folder. */
  readonly folder: string;
}

function projectFolders(): readonly ProjectFolder[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) throw new HumanError(t('No folder is open. Open your project folder first.'));
  return folders.map(({ uri, name }) => ({ root: uri.fsPath, name }));
}

function isCase({ root, casePath }: AllowedCase, { uri, folder }: CaseEntry): boolean {
  return root === folder.uri.fsPath && casePath === relativeCasePath(uri);
}

/** Undefined when the user cancels. All are chosen at first: Enter stops everything. */
async function choose(allowed: readonly AllowedCase[]): Promise<readonly AllowedCase[] | undefined> {
  if (allowed.length === 0) return [];
  const isOneFolder = vscode.workspace.workspaceFolders?.length === 1;
  const picks = allowed.map((one) => ({
    label: oneLine(one.casePath),
    ...(isOneFolder ? {} : { description: one.folder }),
    picked: true,
    allowed: one,
  }));
  const chosen = await vscode.window.showQuickPick(picks, {
    title: t('Stop Coding Agents from Running Cases'),
    placeHolder: t('Select the cases that coding agents may no longer replay'),
    canPickMany: true,
  });
  return chosen === undefined || chosen.length === 0 ? undefined : chosen.map((pick) => pick.allowed);
}

function describeWithdrawn(withdrawn: readonly AllowedCase[], entry: CaseEntry | undefined): string {
  const [only] = withdrawn;
  if (only !== undefined)
    return t(
      'Coding agents can no longer replay {0}.',
      withdrawn.length === 1 ? oneLine(only.casePath) : `${withdrawn.length} cases`,
    );
  return entry === undefined
    ? t('No cases are allowed in this workspace.')
    : t('Coding agents were not allowed to replay {0}.', relativeCasePath(entry.uri));
}

function say(message: string): void {
  void vscode.window.showInformationMessage(message);
}
