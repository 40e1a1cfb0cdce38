const TOP_LEVEL_KEY = /^[ \t]*(name|prompt|input|expected_text|llm|assert)[ \t]*[=.]/gm;
const CASE_TABLE = /^[ \t]*\[\[?[ \t]*(?:llm|assert)(?![\w-])/m;

/**
 * Is this TOML text a case? Decided by its keys, so that Cargo.toml, pyproject.toml and the prompts of other tools in
 * the same folder are not, and by a scan, so that a case which is being edited and does not parse just now stays one.
 */
export function looksLikeCase(text: string): boolean {
  const source = text.replace(/^\uFEFF/, '');
  const firstTable = source.search(/^[ \t]*\[/m);
  const head = firstTable === -1 ? source : source.slice(0, firstTable);
  const keys = new Set(Array.from(head.matchAll(TOP_LEVEL_KEY), ([, key]) => key));
  const asks = keys.has('prompt') || keys.has('input');
  if (keys.has('name') && asks) return true;
  const tests = keys.has('llm') || keys.has('assert') || keys.has('expected_text') || CASE_TABLE.test(source);
  return tests && (keys.has('name') || asks);
}
