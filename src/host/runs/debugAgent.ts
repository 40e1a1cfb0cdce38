import * as vscode from 'vscode';
import type { AttachParams, DebugCommand, DebugCommandParams } from '../../contracts/engine/agentDebugger';
import { type DebuggedRuntime, debuggedRuntime } from '../../core/cases/toml/debugWords';
import { accepts } from '../../core/schema/accepts';
import { shape, trusted } from '../../core/schema/schema';
import { lineOf } from '../../core/text/commandLine';
import { t } from '../../core/text/l10n';
import { callable } from '../base/apiValues';
import { caseUri } from '../base/caseUri';
import { oneLine } from '../base/confirm';
import { fileName } from '../base/fileName';

const HOST = '127.0.0.1';
const PYTHON_DEBUGGER = 'ms-python.debugpy';

/** The command with which the engine starts an agent, so that it waits for the debugger of its runtime. Rejects with what is missing for that. */
export async function debugCommand({ command, port }: DebugCommandParams): Promise<DebugCommand> {
  const found = debuggedRuntime(command);
  if (found === undefined)
    throw new Error(
      `Debug Replay starts agents with node, tsx or python, not with ${oneLine(lineOf(command))}. To debug this one, add "tapedeck": {"mode": "replay", "tape": …} to a launch configuration of its debugger, and press F5`,
    );
  return found.runtime === 'node' ? nodeCommand(found, port) : pythonCommand(found, port);
}

function nodeCommand(found: DebuggedRuntime, port: number): DebugCommand {
  return { command: found.with([`--inspect-brk=${HOST}:${port}`]), type: 'node' };
}

async function pythonCommand(found: DebuggedRuntime, port: number): Promise<DebugCommand> {
  const extension = vscode.extensions.getExtension<unknown>(PYTHON_DEBUGGER);
  if (extension === undefined)
    throw new Error('To debug Python, install the extension Python Debugger (ms-python.debugpy)');
  const listen = ['--listen', `${HOST}:${port}`, '--wait-for-client'];
  return { command: found.with([await debugpyOf(extension), ...listen]), type: 'debugpy' };
}

const DEBUGGER_API = trusted<{ readonly debug: { getDebuggerPackagePath(): unknown } }>(
  shape({ debug: shape({ getDebuggerPackagePath: callable }) }),
);

/** The package that the interpreter of the agent runs: it comes with the extension, for all versions of Python. */
async function debugpyOf(extension: vscode.Extension<unknown>): Promise<string> {
  const api = await extension.activate();
  const path = accepts(DEBUGGER_API, api) ? await api.debug.getDebuggerPackagePath() : undefined;
  return typeof path === 'string' ? path : vscode.Uri.joinPath(extension.extensionUri, 'bundled/libs/debugpy').fsPath;
}

/** Attaches that debugger. */
export async function attachDebugger({ casePath, type, port }: AttachParams): Promise<void> {
  const uri = caseUri(casePath);
  const name = t('Debug {0}', fileName(uri));
  const place =
    type === 'node'
      ? { address: HOST, port, continueOnAttach: true, skipFiles: ['<node_internals>/**'] }
      : { connect: { host: HOST, port } };
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const isStarted = await vscode.debug.startDebugging(folder, { type, request: 'attach', name, ...place });
  if (!isStarted) throw new Error('The debugger could not be attached to the agent');
}
