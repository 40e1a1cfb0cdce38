const TOP_LEVEL_KEY = /^[ \t]*(name|prompt|input|expected_text|llm|assert)[ \t]*[=.]/gm;
const CASE_TABLE = /^[ \t]*\[\[?[ \t]*(?:llm|assert)(?![\w-])/m;

/**
 * Whether a TOML text is a case, by its keys, which distinguish it from Cargo.toml, pyproject.toml and the prompts of other
 * tools. Scans the text, which may be invalid while it is being edited.
 */
export function looksLikeCase(text: string): boolean {
  const source = text.replace(/^\uFEFF/, '');
  const firstTable = source.search(/^[ \t]*\[/m);
  const head = firstTable === -1 ? source : source.slice(0, firstTable);
  const keys = new Set(Array.from(head.matchAll(TOP_LEVEL_KEY), ([, key]) => key));
  const hasPrompt = keys.has('prompt') || keys.has('input');
  if (keys.has('name') && hasPrompt) return true;
  const isTest = keys.has('llm') || keys.has('assert') || keys.has('expected_text') || CASE_TABLE.test(source);
  return isTest && (keys.has('name') || hasPrompt);
}
