import { runCli } from '../../src/engine/commands/cli';
import { createPaint } from '../../src/engine/terminal/paint';
import type { Ended, TestProject } from './builtEngine';

/** Runs a command line in this process, in a project. */
export function tapedeck({ root }: Pick<TestProject, 'root'>, ...args: readonly string[]): Promise<Ended> {
  return cli(root, args);
}

/** The same in any folder, without colours and without the API keys of the developer. Rejects only because of a bug. */
export async function cli(cwd: string, args: readonly string[], signal = new AbortController().signal): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const { PATH, HOME, TMPDIR, XDG_STATE_HOME } = process.env;
  const code = await runCli(args, {
    cwd,
    env: { PATH, HOME, TMPDIR, XDG_STATE_HOME },
    signal,
    paint: createPaint(false),
    columns: undefined,
    print: (text) => {
      stdout += text;
    },
    note: (text) => {
      stderr += `${text}\n`;
    },
    progress: () => undefined,
  });
  return { code, stdout, stderr };
}
