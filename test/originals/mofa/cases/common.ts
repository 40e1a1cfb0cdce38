import { type MofaCase, type TomlTable, toml } from '../mofaCase';

/** The flags that make a run write everything it can. */
export const ALL_OUTPUTS = ['--artifact-out', 'artifact.json', '--report-out', 'report.json'];

/** A run of the case `a.toml` that writes artifact and report. */
export function runOf(
  group: string,
  title: string,
  text: string,
  more: Partial<Pick<MofaCase, 'files' | 'env' | 'upstream' | 'args' | 'cwd'>> = {},
): MofaCase {
  return {
    group,
    title,
    args: ['test-dsl', 'a.toml', ...ALL_OUTPUTS],
    ...more,
    files: { 'a.toml': text, ...more.files },
  };
}

export const GREETING: TomlTable = { name: 'greeting', prompt: 'Say hello.', llm: { responses: ['Hello, you.'] } };

export const GREETING_TEXT = toml(GREETING);
