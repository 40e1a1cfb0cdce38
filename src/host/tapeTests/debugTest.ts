import * as vscode from 'vscode';
import type { TestProgram, TestRun } from '../../core/tapeTests/testRun';
import { t } from '../../core/text/l10n';
import { HumanError } from '../base/humanError';
import type { FoundTest } from '../stores/tapes/foundTest';
import { followTest } from './testResults';
import { type Command, startedTest, testRunOf } from './testTask';

/** Debuggers that come as extensions; that of Node is in VS Code. */
const EXTENSIONS: Readonly<Partial<Record<TestProgram, string>>> = { pytest: 'ms-python.debugpy', go: 'golang.go' };

/** A test that waits at a breakpoint neither times out nor shares its debugger with others. */
const PATIENCE: Readonly<Partial<Record<TestProgram, readonly string[]>>> = {
  vitest: ['--testTimeout=0', '--hookTimeout=0', '--no-file-parallelism'],
  jest: ['--testTimeout=2147483647', '--runInBand'],
  mocha: ['--timeout=0'],
  playwright: ['--timeout=0', '--workers=1'],
};

/** Replays a test in the debugger of its language. */
export async function debugTest(found: FoundTest, storage: vscode.Uri): Promise<void> {
  const run = await testRunOf(found, 'replay');
  const debuggedBy = EXTENSIONS[run.program];
  if (debuggedBy !== undefined && vscode.extensions.getExtension(debuggedBy) === undefined)
    throw new HumanError(t('To debug {0}, install the extension {1}.', found.test.name, debuggedBy));
  const { cwd, command, args } = await startedTest(found.folder, run);
  const name = t('Debug {0}', found.test.name);
  const own = configurationOf(run, command, [...args, ...(PATIENCE[run.program] ?? [])], cwd);
  await followTest(storage, async (env) => {
    const configuration = { ...own, name, request: 'launch', cwd: cwd.fsPath, env: { ...run.env, ...env } };
    const ended = endOf(name);
    const isStarted = await vscode.debug.startDebugging(found.folder, configuration);
    if (isStarted) await ended;
  });
}

type OwnConfiguration = { readonly type: string } & Readonly<Record<string, unknown>>;

function configurationOf(
  { program }: TestRun,
  [executable, ...before]: Command,
  args: readonly string[],
  cwd: vscode.Uri,
): OwnConfiguration {
  const console = 'integratedTerminal';
  switch (program) {
    case 'pytest': {
      const [option, module, ...others] = before;
      if (option !== '-m' || module === undefined)
        throw new HumanError(t('To debug tests, let the setting `tapedeck.pytest` be PYTHON -m pytest.'));
      return { type: 'debugpy', python: executable, module, args: [...others, ...args], console };
    }
    case 'go':
      return { type: 'go', mode: 'test', program: cwd.fsPath, args: goFlags(args) };
    default:
      return { type: 'node', runtimeExecutable: executable, runtimeArgs: [...before, ...args], console };
  }
}

/** `go test . -run X` as the flags of the program that it builds. */
function goFlags([, , ...args]: readonly string[]): string[] {
  return args.map((arg) => arg.replace(/^-(?=(?:count|run)(?:=|$))/, '-test.'));
}

/** Resolves when the debug session of this name has ended. */
function endOf(name: string): Promise<void> {
  return new Promise((resolve) => {
    const listening = vscode.debug.onDidTerminateDebugSession((session) => {
      if (session.configuration.name !== name || session.parentSession !== undefined) return;
      listening.dispose();
      resolve();
    });
  });
}
