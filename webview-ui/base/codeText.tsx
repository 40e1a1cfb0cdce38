import type { VNode } from 'preact';
import { tokenizeJson } from '../../src/core/json/formatJson';
import { memo } from './memo';

/** In longer texts, colours cost more time than they are worth. */
const MAX_COLOURED = 60_000;

interface CodeTextProps {
  readonly text: string;
  /** Whether the text is JSON, or the beginning of it. */
  readonly json: boolean;
}

/** Recorded text; JSON has its tokens coloured. */
export const CodeText = memo(({ text, json }: CodeTextProps): VNode => {
  if (!json || text.length > MAX_COLOURED) return <>{text}</>;
  return (
    <>
      {tokenizeJson(text).map(({ kind, text: token }) =>
        kind === 'plain' ? token : <span class={`json-${kind}`}>{token}</span>,
      )}
    </>
  );
});
