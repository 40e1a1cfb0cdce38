import type * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
import type { Log } from '../base/log';
import type { MachineParts } from './checkMachine';

export function registerSelfCheck(parts: MachineParts, log: Log): vscode.Disposable {
  return registerCommand('tapedeck.selfCheck', log, async () => (await import('./checkMachine')).checkMachine(parts));
}
