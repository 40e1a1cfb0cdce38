import { runCli } from '../../src/engine/commands/cli';
import { createPaint } from '../../src/engine/terminal/paint';
import { cleanEnvironment, type Ended, type TestProject } from './builtEngine';

interface CommandLine {
  /** Variables beside those that the tests need. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Hears of what it prints as it does. */
  readonly onPrint?: (text: string) => void;
}

/** Runs a command line in this process, in a project. */
export function tapedeck({ root }: Pick<TestProject, 'root'>, ...args: readonly string[]): Promise<Ended> {
  return cli(root, args);
}

/** The same in any folder, without colours and without the API keys of the developer. Rejects only because of a bug. */
export async function cli(
  cwd: string,
  args: readonly string[],
  { env = {}, signal = new AbortController().signal, onPrint }: CommandLine = {},
): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const code = await runCli(args, {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    signal,
    paint: createPaint(false),
    columns: undefined,
    print: (text) => {
      stdout += text;
      onPrint?.(text);
    },
    note: (text) => {
      stderr += `${text}\n`;
    },
    progress: () => undefined,
  });
  return { code, stdout, stderr };
}
