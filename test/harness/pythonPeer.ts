import { type ExecFileOptions, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../corpus';

const run = promisify(execFile);
const INSTALL_TIMEOUT = 600_000;
const QUIETLY = ['--quiet', '--disable-pip-version-check', '--retries', '1'];

/** A Python with packages of its own, or why there is none. */
export type PythonPeer = { readonly python: string } | { readonly missing: string };

/**
 * An environment with exactly these packages, made once and kept in `.vscode-test/python/`. Where Python or its package
 * index cannot be reached there is none: the suite must say so.
 */
export async function pythonPeer(name: string, packages: readonly string[]): Promise<PythonPeer> {
  const folder = join(projectFolder, '.vscode-test/python', name);
  const python = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const marker = join(folder, 'installed.txt');
  const wanted = packages.join('\n');
  if (existsSync(python) && (await readFile(marker, 'utf8').catch(() => '')) === wanted) return { python };
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const system = await systemPython();
    const install = (by: string, ...at: readonly string[]): Promise<unknown> =>
      run(by, ['-m', 'pip', ...at, 'install', ...QUIETLY, ...packages], { timeout: INSTALL_TIMEOUT });
    await run(system, ['-m', 'venv', '--without-pip', folder], { timeout: INSTALL_TIMEOUT });
    // A pip of its own takes longer to install than most packages: only where there is no other, or one before 22.3.
    await install(system, '--python', python).catch(async (error) => {
      if (!/No module named pip|no such option/.test(lastLine(error))) throw error;
      await run(python, ['-m', 'ensurepip'], { timeout: INSTALL_TIMEOUT });
      await install(python);
    });
    await writeFile(marker, wanted);
    return { python };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    return { missing: lastLine(error) };
  }
}

async function systemPython(): Promise<string> {
  for (const command of ['python3', 'python']) {
    const answer = await run(command, ['-c', 'import sys; print(sys.version_info >= (3, 10))']).catch(() => undefined);
    if (answer?.stdout.trim() === 'True') return command;
  }
  throw new Error('there is no Python 3.10 or newer on the PATH');
}

function lastLine(error: unknown): string {
  const { stderr = '', message = String(error) } = error as { stderr?: string; message?: string };
  return (stderr.trim() || message).split('\n').at(-1) ?? '';
}

/** Runs a script with a file name as its argument, and gives what it printed. */
export async function runPython(python: string, script: string, args: readonly string[], cwd: string): Promise<string> {
  const options: ExecFileOptions = { cwd, timeout: 60_000, maxBuffer: 256 * 1024 * 1024, encoding: 'utf8' };
  const { stdout } = await run(python, ['-c', script, ...args], options);
  return String(stdout);
}
