import * as vscode from 'vscode';
import type { HeldRelease } from '../../protocol/holds';
import { type CommandId, registerCommand } from '../base/commands';
import { DisposableStore } from '../base/disposable';
import { requireTrust } from '../base/trust';
import { HoldStore } from '../stores/holdStore';
import type { DebugSessions } from './debugSessions';
import type { Holds } from './holds';
import type { LiveTapes } from './liveTapes';
import type { SessionParts } from './sessionParts';
import type { Terminals } from './terminals/terminals';

export interface SessionFeature extends vscode.Disposable {
  readonly holds: HoldStore;
}

/** Registers what records and replays programs that are no cases: the code behind each is loaded when it is used. */
export function registerSessions(given: Omit<SessionParts, 'holds' | 'live' | 'following'>): SessionFeature {
  const owned = new DisposableStore();
  let live: Promise<LiveTapes> | undefined;
  const makeLive = async (): Promise<LiveTapes> => owned.add(new (await import('./liveTapes')).LiveTapes());
  let following: Promise<Holds> | undefined;
  const parts: SessionParts = {
    ...given,
    holds: owned.add(new HoldStore(given.context.workspaceState)),
    live: () => {
      live ??= makeLive();
      return live;
    },
    following: () => {
      following ??= import('./holds').then(({ Holds }) => owned.add(new Holds(parts)));
      return following;
    },
  };
  const { log } = parts;
  let debug: Promise<DebugSessions> | undefined;
  const makeDebug = async (): Promise<DebugSessions> =>
    owned.add(new (await import('./debugSessions')).DebugSessions(parts));
  const debugging = (): Promise<DebugSessions> => {
    debug ??= makeDebug();
    return debug;
  };
  const commands = () => import('./recordCommands');
  owned.add(
    registerCommand('tapedeck.recordScript', log, async (argument) => {
      requireTrust();
      await (await commands()).recordScript(argument, parts);
    }),
  );
  owned.add(
    registerCommand('tapedeck.recordCommand', log, async () => {
      requireTrust();
      await (await commands()).recordChosenCommand(parts);
    }),
  );
  owned.add(
    registerCommand('tapedeck.changeHook', log, async () => {
      requireTrust();
      await (await import('./hookCommand')).changeHook(parts);
    }),
  );
  const release = (command: CommandId, type: HeldRelease['type']): void =>
    void owned.add(registerCommand(command, log, async () => (await parts.following()).releaseFirst(type)));
  release('tapedeck.continueHeld', 'continue');
  release('tapedeck.stepHeld', 'step');
  release('tapedeck.stopHeld', 'stop');
  owned.add(registerCommand('tapedeck.holdNext', log, async () => (await parts.following()).holdNext()));
  owned.add(
    vscode.debug.registerDebugConfigurationProvider('*', {
      resolveDebugConfigurationWithSubstitutedVariables: async (folder, configuration) =>
        configuration.tapedeck === undefined ? configuration : (await debugging()).resolve(folder, configuration),
    }),
  );
  let taped: Promise<Terminals> | undefined;
  const makeTaped = async (): Promise<Terminals> =>
    owned.add(new (await import('./terminals/terminals')).Terminals(parts));
  const tapedTerminals = (): Promise<Terminals> => {
    taped ??= makeTaped();
    return taped;
  };
  owned.add(registerCommand('tapedeck.terminalMode', log, async () => (await tapedTerminals()).choose()));
  owned.add(registerCommand('tapedeck.newTerminal', log, async (argument) => (await tapedTerminals()).open(argument)));
  for (const mode of ['replay', 'record'] as const)
    owned.add(
      vscode.window.registerTerminalProfileProvider(`tapedeck.${mode}`, {
        provideTerminalProfile: async () => (await tapedTerminals()).profile(mode),
      }),
    );
  const terminals = (): void => {
    // It is kept between windows, also for one that is no longer trusted.
    if (!vscode.workspace.isTrusted) given.context.environmentVariableCollection.clear();
    else void import('./terminalPath').then((module) => module.offerInTerminals(given.context));
  };
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(terminals));
  terminals();
  return { holds: parts.holds, dispose: () => owned.dispose() };
}
