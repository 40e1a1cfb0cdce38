/** How a command starts an agent in a runtime that can wait for a debugger. */
export interface DebuggedRuntime {
  readonly runtime: 'node' | 'python';
  /** The words with the options of the debugger, which come before the script. */
  with(options: readonly string[]): readonly string[];
}

const NODE = /^(?:node|nodejs|tsx)(?:\.exe|\.cmd)?$/i;
const PYTHON = /^(?:python|py)[\d.]*w?(?:\.exe)?$/i;
/** Programs that start another one, which they are given as arguments. */
const STARTERS = /^(?:npx|pnpm|yarn|uv|poetry|pipenv|rye|hatch|env)(?:\.exe|\.cmd)?$/i;
/** Options of Python that have their value in the next word. */
const WITH_VALUE = new Set(['-W', '-X']);

/** Finds the runtime in the command of an agent; undefined if it is another one, or started by a script. */
export function debuggedRuntime(command: readonly string[]): DebuggedRuntime | undefined {
  const names = command.map((word) => word.replace(/^.*[/\\]/, ''));
  const isRuntime = (name: string): boolean => NODE.test(name) || PYTHON.test(name);
  const at = STARTERS.test(names[0] ?? '') ? names.findIndex(isRuntime) : 0;
  const name = names[at] ?? '';
  if (!isRuntime(name)) return undefined;
  const isPython = PYTHON.test(name);
  const end = at + 1 + (isPython ? optionsOfPython(command.slice(at + 1)) : 0);
  return {
    runtime: isPython ? 'python' : 'node',
    with: (options) => [...command.slice(0, end), ...options, ...command.slice(end)],
  };
}

/** How many words are options of the interpreter itself. */
function optionsOfPython(words: readonly string[]): number {
  let count = 0;
  while (/^-(?![mc]|$)/.test(words[count] ?? '')) count += WITH_VALUE.has(words[count] ?? '') ? 2 : 1;
  return count;
}
