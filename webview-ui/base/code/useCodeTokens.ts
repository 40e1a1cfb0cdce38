import { useEffect, useMemo, useState } from 'preact/hooks';
import type { CodeLanguage } from './codeLanguage';
import { type CodeToken, isColourable } from './codeToken';

type Highlighter = typeof import('./highlighter');

let loaded: Highlighter | undefined;

/** Its grammars are as much code as the rest of the page: they come with the first code that is shown. */
async function loadHighlighter(): Promise<Highlighter> {
  loaded ??= await import('./highlighter');
  return loaded;
}

/** The tokens of code; undefined until its grammar is there, and for what has none. */
export function useCodeTokens(text: string, language: CodeLanguage | undefined): readonly CodeToken[] | undefined {
  const wanted = language === 'json' || language === undefined || !isColourable(text) ? undefined : language;
  const [highlighter, setHighlighter] = useState(loaded);
  const isMissing = wanted !== undefined && highlighter === undefined;
  useEffect(() => {
    // Where it cannot be loaded, code has the colour of text.
    if (isMissing)
      loadHighlighter().then(
        (module) => setHighlighter(module),
        () => undefined,
      );
  }, [isMissing]);
  return useMemo(
    () => (wanted === undefined ? undefined : highlighter?.codeTokens(text, wanted)),
    [text, wanted, highlighter],
  );
}
