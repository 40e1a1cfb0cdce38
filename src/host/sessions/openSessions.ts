import type * as vscode from 'vscode';
import type { SessionMode } from '../../contracts/engine/proxySessions';
import type { CommandArgument } from '../base/commandArguments';
import { DisposableStore } from '../base/disposable';
import { requireTrust } from '../base/trust';
import { DebugSessions } from './debugSessions';
import { Holds } from './holds';
import { changeHook } from './hookCommand';
import { LastRecording } from './lastRecording';
import { LiveTapes } from './liveTapes';
import { recordChosenCommand, recordScript } from './recordCommands';
import type { SessionParts } from './sessionParts';
import { Terminals } from './terminals/terminals';

export type SessionCommand =
  | 'tapedeck.recordScript'
  | 'tapedeck.recordCommand'
  | 'tapedeck.saveLastRecording'
  | 'tapedeck.changeHook'
  | 'tapedeck.continueHeld'
  | 'tapedeck.stepHeld'
  | 'tapedeck.stopHeld'
  | 'tapedeck.holdNext'
  | 'tapedeck.terminalMode'
  | 'tapedeck.newTerminal';

/** What records and replays programs that are no cases. Each part is made when it is first used. */
export class OpenSessions implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #parts: SessionParts;
  #live: LiveTapes | undefined;
  #holds: Holds | undefined;
  #debug: DebugSessions | undefined;
  #terminals: Terminals | undefined;

  constructor(given: Omit<SessionParts, 'last' | 'live' | 'following'>) {
    this.#parts = {
      ...given,
      last: new LastRecording(),
      live: async () => {
        this.#live ??= this.#owned.add(new LiveTapes());
        return this.#live;
      },
      following: async () => this.#following(),
    };
  }

  async run(command: SessionCommand, argument: CommandArgument): Promise<void> {
    switch (command) {
      case 'tapedeck.recordScript':
        requireTrust();
        return recordScript(argument, this.#parts);
      case 'tapedeck.recordCommand':
        requireTrust();
        return recordChosenCommand(this.#parts);
      case 'tapedeck.saveLastRecording':
        requireTrust();
        return (await import('./saveAsCase')).saveLastRecording(this.#parts);
      case 'tapedeck.changeHook':
        requireTrust();
        return changeHook(this.#parts);
      case 'tapedeck.continueHeld':
        return this.#following().releaseFirst('continue');
      case 'tapedeck.stepHeld':
        return this.#following().releaseFirst('step');
      case 'tapedeck.stopHeld':
        return this.#following().releaseFirst('stop');
      case 'tapedeck.holdNext':
        return this.#following().holdNext();
      case 'tapedeck.terminalMode':
        return this.#taped().choose();
      case 'tapedeck.newTerminal':
        return this.#taped().open(argument);
    }
  }

  resolve(folder: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration) {
    this.#debug ??= this.#owned.add(new DebugSessions(this.#parts));
    return this.#debug.resolve(folder, configuration);
  }

  profile(mode: SessionMode): Promise<vscode.TerminalProfile> {
    return this.#taped().profile(mode);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #following(): Holds {
    this.#holds ??= this.#owned.add(new Holds(this.#parts));
    return this.#holds;
  }

  #taped(): Terminals {
    this.#terminals ??= this.#owned.add(new Terminals(this.#parts));
    return this.#terminals;
  }
}
