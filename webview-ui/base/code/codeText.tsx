import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { tokenizeJson } from '../../../src/core/json/formatJson';
import { memo } from '../memo';
import type { CodeLanguage } from './codeLanguage';
import { type CodeToken, isColourable } from './codeToken';

/** In longer texts, colours cost more time than they are worth. */
const MAX_COLOURED = 60_000;

interface CodeTextProps {
  readonly text: string;
  /** `json` also for the beginning of it. */
  readonly language: CodeLanguage | undefined;
}

let loaded: Highlighter | undefined;

/** Recorded text; JSON and code have their tokens coloured. */
export const CodeText = memo(({ text, language }: CodeTextProps): VNode => {
  const tokens = useCodeTokens(text, language);
  if (tokens !== undefined)
    return (
      <>
        {tokens.map(({ kind, text: token }) =>
          kind === undefined ? token : <span class={`code-${kind}`}>{token}</span>,
        )}
      </>
    );
  if (language !== 'json' || text.length > MAX_COLOURED) return <>{text}</>;
  return (
    <>
      {tokenizeJson(text).map(({ kind, text: token }) =>
        kind === 'plain' ? token : <span class={`json-${kind}`}>{token}</span>,
      )}
    </>
  );
});

type Highlighter = typeof import('./highlighter');

/** Its grammars are as much code as the rest of the page: they come with the first code that is shown. */
async function loadHighlighter(): Promise<Highlighter> {
  loaded ??= await import('./highlighter');
  return loaded;
}

/** The tokens of code; undefined until its grammar is there, and for what has none. */
function useCodeTokens(text: string, language: CodeLanguage | undefined): readonly CodeToken[] | undefined {
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
