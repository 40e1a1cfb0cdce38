const TOP_LEVEL_KEY =
  /^[ \t]*(?:(name|prompt|input|expected_text)[ \t]*=|\[\[?[ \t]*(agent|tools|llm|assert|bootstrap_files)\b)/gm;

/**
 * Is this TOML text a case? Decided by its keys, so that Cargo.toml and pyproject.toml in the same folder are not, and
 * by a scan, so that a case which is being edited and does not parse just now stays one.
 */
export function looksLikeCase(text: string): boolean {
  const firstTable = text.search(/^[ \t]*\[/m);
  const head = firstTable === -1 ? text : text.slice(0, firstTable);
  const keys = new Set<string>();
  for (const [, key] of head.matchAll(TOP_LEVEL_KEY)) if (key) keys.add(key);
  if (!keys.has('name') && !keys.has('prompt') && !keys.has('input')) return false;
  if (keys.has('prompt') || keys.has('input')) return true;
  return [...text.matchAll(TOP_LEVEL_KEY)].some(([, , table]) => table === 'llm' || table === 'assert');
}
