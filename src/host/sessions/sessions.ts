import * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
import { DisposableStore } from '../base/disposable';
import { HoldStore } from '../stores/runs/holdStore';
import type { OpenSessions, SessionCommand } from './openSessions';
import type { SessionParts } from './sessionParts';

interface SessionFeature extends vscode.Disposable {
  readonly holds: HoldStore;
}

const COMMANDS: readonly SessionCommand[] = [
  'tapedeck.recordScript',
  'tapedeck.recordCommand',
  'tapedeck.saveLastRecording',
  'tapedeck.changeHook',
  'tapedeck.continueHeld',
  'tapedeck.stepHeld',
  'tapedeck.stopHeld',
  'tapedeck.holdNext',
  'tapedeck.terminalMode',
  'tapedeck.newTerminal',
];

/** Registers what records and replays programs that are no cases: the code behind it is loaded when it is used. */
export function registerSessions(given: Omit<SessionParts, 'holds' | 'last' | 'live' | 'following'>): SessionFeature {
  const owned = new DisposableStore();
  const holds = owned.add(new HoldStore(given.context.workspaceState));
  let opening: Promise<OpenSessions> | undefined;
  const opened = (): Promise<OpenSessions> => {
    opening ??= import('./openSessions').then((module) => owned.add(new module.OpenSessions({ ...given, holds })));
    return opening;
  };
  for (const id of COMMANDS)
    owned.add(registerCommand(id, given.log, async (argument) => (await opened()).run(id, argument)));
  for (const mode of ['replay', 'record'] as const) {
    const provideTerminalProfile = async () => (await opened()).profile(mode);
    owned.add(vscode.window.registerTerminalProfileProvider(`tapedeck.${mode}`, { provideTerminalProfile }));
  }
  owned.add(
    vscode.debug.registerDebugConfigurationProvider('*', {
      resolveDebugConfigurationWithSubstitutedVariables: async (folder, configuration) =>
        configuration.tapedeck === undefined ? configuration : (await opened()).resolve(folder, configuration),
    }),
  );
  const terminals = (): void => {
    // It is kept between windows, also for one that is no longer trusted.
    if (!vscode.workspace.isTrusted) given.context.environmentVariableCollection.clear();
    else void import('./terminalPath').then((module) => module.offerInTerminals(given.context));
  };
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(terminals));
  terminals();
  return { holds, dispose: () => owned.dispose() };
}
