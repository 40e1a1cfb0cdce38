import type * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
import { DisposableStore } from '../base/disposable';
import type { Log } from '../base/log';
import { requireTrust } from '../base/trust';
import type { EngineClient } from '../engine/engineClient';
import type { WorkspaceStores } from '../stores/workspaceStores';
import type { LiveTapes } from './liveTapes';

/** The provider keys that the editor keeps. */
export interface StoredKeys {
  names(): readonly string[];
  stored(names: readonly string[]): Promise<Record<string, string>>;
}

export interface SessionParts {
  readonly context: vscode.ExtensionContext;
  readonly engine: Pick<EngineClient, 'call' | 'onSessionEvent'>;
  readonly stores: Pick<WorkspaceStores, 'cases' | 'tapes' | 'runs'>;
  readonly keys: StoredKeys;
  readonly log: Log;
  /** Made when it is first used. */
  live(): Promise<LiveTapes>;
}

/** Registers what records and replays programs that are no cases: the code behind each is loaded when it is used. */
export function registerSessions(given: Omit<SessionParts, 'live'>): vscode.Disposable {
  const owned = new DisposableStore();
  let live: Promise<LiveTapes> | undefined;
  const makeLive = async (): Promise<LiveTapes> => owned.add(new (await import('./liveTapes')).LiveTapes());
  const parts: SessionParts = {
    ...given,
    live: () => {
      live ??= makeLive();
      return live;
    },
  };
  const { log } = parts;
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
  return owned;
}
