import * as vscode from 'vscode';
import { accepts } from '../../core/schema/accepts';
import { shape, trusted } from '../../core/schema/schema';
import { t } from '../../core/text/l10n';
import { callable, uri } from '../base/apiValues';
import { fileExists } from '../base/files';
import { HumanError } from '../base/humanError';

const isWindows = process.platform === 'win32';

/** The words of the command that runs a script in its workspace folder, as a case can name them: paths in the folder are relative. */
export async function scriptWords(script: vscode.Uri, folder: vscode.WorkspaceFolder): Promise<readonly string[]> {
  const path = vscode.workspace.asRelativePath(script, false);
  const [extension] = /\.\w+$/.exec(path.toLowerCase()) ?? [''];
  switch (extension) {
    case '.py':
      return [await pythonOf(script, folder), path];
    case '.js':
    case '.mjs':
    case '.cjs':
      return ['node', path];
    case '.ts':
    case '.mts':
    case '.cts':
      return ['npx', 'tsx', path];
    case '.sh':
      return ['bash', path];
  }
  if (await startsWithInterpreter(script)) return [path.includes('/') ? path : `./${path}`];
  throw new HumanError(
    t('Tapedeck does not know what runs {0}. Record the command that you would type instead.', path),
    {
      title: t('Record a Command…'),
      run: () => vscode.commands.executeCommand('tapedeck.recordCommand'),
    },
  );
}

async function startsWithInterpreter(script: vscode.Uri): Promise<boolean> {
  const bytes = await vscode.workspace.fs.readFile(script);
  return (
    (bytes[0] === 0x23 && bytes[1] === 0x21) || (bytes[0] === 0x7f && bytes[1] === 0x45) || /\.exe$/i.test(script.path)
  );
}

/** The interpreter that the Python extension has for the script; else that of the folder's own environment, or of the PATH. */
async function pythonOf(script: vscode.Uri, folder: vscode.WorkspaceFolder): Promise<string> {
  const chosen = await chosenPython(script);
  if (chosen !== undefined) return inFolder(chosen, folder);
  for (const path of ['.venv/bin/python', 'venv/bin/python', '.venv/Scripts/python.exe', 'venv/Scripts/python.exe'])
    if (await fileExists(vscode.Uri.joinPath(folder.uri, path))) return path;
  return isWindows ? 'python' : 'python3';
}

function inFolder(file: string, folder: vscode.WorkspaceFolder): string {
  const uri = vscode.Uri.file(file);
  const isInside = uri.path.startsWith(`${folder.uri.path}/`);
  return isInside ? uri.path.slice(folder.uri.path.length + 1) : file;
}

/** The part of the Python extension's API that is used here. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(script: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: { readonly path: string }): Promise<unknown>;
  };
}

const PYTHON_API = trusted<PythonApi>(
  shape({ environments: shape({ getActiveEnvironmentPath: callable, resolveEnvironment: callable }) }),
);
/** A virtual environment. */
const RESOLVED = shape({ environment: trusted<unknown>(), executable: shape({ uri }) });

/** Undefined if there is no such extension, or no virtual environment is chosen in it. */
async function chosenPython(script: vscode.Uri): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<unknown>('ms-python.python');
  if (extension === undefined) return undefined;
  const api = await extension.activate();
  if (!accepts(PYTHON_API, api)) return undefined;
  const { environments } = api;
  const resolved = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(script));
  return accepts(RESOLVED, resolved) ? resolved.executable.uri.fsPath : undefined;
}
