import type { VNode } from 'preact';
import { isJsonStructure } from '../../src/core/json/formatJson';
import type { TranscriptToolCall } from '../../src/core/transcript/transcript';
import { Icon } from '../base/icon';
import { FoldedCode } from './foldedCode';
import type { MessageBodyProps } from './messageBody';
import { isCallOpen, toolLines } from './modes';

interface ToolCallCardProps extends MessageBodyProps {
  readonly call: TranscriptToolCall;
  /** What the card is called in `Opened` and in part ids, such as `call0`. */
  readonly id: string;
}

/** A tool call joined with what the tool answered. */
export function ToolCallCard({ call, id, view, entry, mode, opened, onOpen }: ToolCallCardProps): VNode {
  const open = isCallOpen(mode, id, opened);
  const fold = (part: string) => ({
    ...{ view, entry },
    part: `${id}.${part}`,
    maxLines: toolLines(mode),
    open: opened?.[`${id}.${part}`] ?? false,
    onOpen: () => onOpen(`${id}.${part}`, true),
  });
  return (
    <div class={`tool-call ${open ? 'open' : 'closed'}`}>
      <button type="button" class="tool-call-head" aria-expanded={open} onClick={() => onOpen(id, !open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="visually-hidden">Tool call </span>
        <code class="tool-name" data-part={`${id}.name`}>
          {call.name || 'unnamed tool'}
        </code>
        {!open && <span class="preview">{oneLine(call.arguments)}</span>}
        {call.isError && <span class="badge badge-failed">failed</span>}
      </button>
      {open && (
        <div class="tool-call-body">
          <Section title="Arguments">
            <FoldedCode text={shortJson(call.arguments)} {...fold('arguments')} />
          </Section>
          <Section title={call.isError ? 'Result: the tool failed' : 'Result'}>
            {call.result === undefined ? (
              <p class="quiet">Not on this tape</p>
            ) : (
              <FoldedCode text={shortJson(call.result)} {...fold('result')} />
            )}
          </Section>
        </div>
      )}
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: VNode }): VNode {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** What fits into a line stands in one. Only white space between tokens goes, so that matches keep their number. */
function shortJson(text: string): string {
  if (text.length > 160 || !isJsonStructure(text)) return text;
  const line = text.replace(/\n\s*/g, ' ');
  return line.length <= 76 ? line : text;
}

function oneLine(text: string): string {
  return text.slice(0, 400).replace(/\s+/g, ' ');
}
