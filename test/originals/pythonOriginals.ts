import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyOriginal, originalCache, originalFolder } from './originals';

const run = promisify(execFile);
const INSTALL = { timeout: 900_000, maxBuffer: 64 * 1024 * 1024 };
const PACKAGES = [
  'flakestorm==2.0.0',
  'mcp-recorder==0.5.0',
  'litellm==1.106.2',
  'mcp==2.3.0',
  'pytest',
  'pytest-asyncio',
];

/** A Python in which CheckAgent, Flakestorm and Reyn's LLMReplay can be imported. Installed on the first use. */
export async function pythonOriginals(): Promise<string> {
  const folder = originalCache('python');
  const python = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const marker = join(folder, 'installed.txt');
  const wanted = PACKAGES.join('\n');
  if (existsSync(python) && existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return python;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run('python3', ['-m', 'venv', folder], INSTALL);
  const packages = [copyOriginal('checkagent'), ...PACKAGES];
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages], INSTALL);
  await writeFile(marker, wanted);
  return python;
}

/** Runs a script with an input as JSON in a file, and returns what it printed last, as JSON. */
export async function askPython<T>(python: string, script: string, input: unknown, folder: string): Promise<T> {
  const asked = join(folder, 'asked.json');
  await writeFile(asked, JSON.stringify(input));
  const env = { ...process.env, PYTHONPATH: originalFolder('reyn-replay'), NO_COLOR: '1', COLUMNS: '400' };
  const options = { cwd: folder, env, timeout: 900_000, maxBuffer: 512 * 1024 * 1024 };
  const { stdout } = await run(python, ['-c', script, asked], options);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as T;
}
