import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { foldText } from '../base/fold';
import { isJsonStructure } from '../base/jsonText';
import { CodeText } from './codeText';

interface FoldedCodeProps {
  /** The id of the part, for the search. */
  readonly part: string;
  readonly text: string;
  readonly maxLines: number;
  readonly open: boolean;
  onOpen(): void;
}

/** A recorded text as code, folded when it is long. */
export function FoldedCode({ part, text, maxLines, open, onOpen }: FoldedCodeProps): VNode {
  const json = useMemo(() => isJsonStructure(text), [text]);
  const { shown, label } = open ? { shown: text } : foldText(text, maxLines);
  return (
    <>
      <pre class="code" data-part={part}>
        <CodeText text={shown} json={json} />
      </pre>
      {label !== undefined && <ShowAll label={label} onOpen={onOpen} />}
    </>
  );
}

export function ShowAll({ label, onOpen }: { readonly label: string; onOpen(): void }): VNode {
  return (
    <button type="button" class="link show-all" onClick={onOpen}>
      {label}
    </button>
  );
}
