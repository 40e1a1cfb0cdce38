import { wordsOf } from '../../core/text/commandLine';

/** The words of a line that was typed: those of a shell that runs it, where it has what only a shell understands. */
export function shellLineWords(line: string): readonly string[] {
  if (!/[|&;<>`$*~]|^\w+=/.test(line)) return wordsOf(line);
  return process.platform === 'win32' ? ['cmd', '/d', '/c', line] : ['sh', '-c', line];
}
