import type { VNode } from 'preact';
import { tokenizeJson } from '../../src/core/json/formatJson';
import { memo } from '../base/memo';

/** Beyond this many characters colours cost more than they tell. */
const MAX_COLOURED = 60_000;

interface CodeTextProps {
  readonly text: string;
  /** Is this JSON, or the beginning of some? */
  readonly json: boolean;
}

/** Recorded text in a fixed-width face; JSON with its tokens in the colours the debugger shows values in. */
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
