/** The languages that have colours, with what names them: in a code block, and as the ending of a file. */
const NAMES = {
  bash: 'bash sh zsh shell console shell-session',
  c: 'c h',
  cpp: 'cpp c++ cc cxx hpp hh',
  css: 'css',
  diff: 'diff patch',
  dockerfile: 'dockerfile docker',
  go: 'go golang',
  ini: 'ini toml cfg conf properties editorconfig',
  java: 'java',
  javascript: 'javascript js jsx mjs cjs node',
  kotlin: 'kotlin kt kts',
  lua: 'lua',
  makefile: 'makefile make mk',
  php: 'php',
  python: 'python py python3 py3 pyi',
  ruby: 'ruby rb gemfile rakefile',
  rust: 'rust rs',
  scss: 'scss',
  sql: 'sql postgresql mysql sqlite',
  swift: 'swift',
  typescript: 'typescript ts tsx mts cts',
  xml: 'xml html htm xhtml svg vue',
  yaml: 'yaml yml',
} as const;

/** `json` has colours of its own, which need no grammar. */
export type CodeLanguage = keyof typeof NAMES | 'json';

const BY_NAME: ReadonlyMap<string, CodeLanguage> = new Map([
  ...Object.entries(NAMES).flatMap(([language, names]) =>
    names.split(' ').map((name) => [name, language as CodeLanguage] as const),
  ),
  ...['json', 'jsonc', 'json5'].map((name) => [name, 'json'] as const),
]);

/** The language of a code block, by the word behind its fence. */
export function languageOfBlock(word: string): CodeLanguage | undefined {
  return BY_NAME.get(word.toLowerCase());
}

/** The language of a file, by its ending, or its name where it has none. */
export function languageOfFile(path: string): CodeLanguage | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return BY_NAME.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}
