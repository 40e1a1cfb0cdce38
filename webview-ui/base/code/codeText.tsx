import type { VNode } from 'preact';
import { tokenizeJson } from '../../../src/core/json/formatJson';
import { memo } from '../memo';
import type { CodeLanguage } from './codeLanguage';
import { useCodeTokens } from './useCodeTokens';

/** In longer texts, colours cost more time than they are worth. */
const MAX_COLOURED = 60_000;

interface CodeTextProps {
  readonly text: string;
  /** `json` also for the beginning of it. */
  readonly language: CodeLanguage | undefined;
}

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
