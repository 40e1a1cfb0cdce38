import { runCli } from '../../src/engine/commands/cli';
import { createPaint } from '../../src/engine/terminal/paint';
import type { Ended, TestProject } from './builtEngine';

/** Runs a command line in this process, in a project, without colours and without the API keys of the developer. */
export async function tapedeck({ root }: Pick<TestProject, 'root'>, ...args: readonly string[]): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const { PATH, HOME, TMPDIR, XDG_STATE_HOME } = process.env;
  const code = await runCli(args, {
    cwd: root,
    env: { PATH, HOME, TMPDIR, XDG_STATE_HOME },
    signal: new AbortController().signal,
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
