import type { VNode } from 'preact';
import { isJsonStructure } from '../../../src/core/json/formatJson';
import type { MessageExtra } from '../../../src/core/transcript/messageExtras';
import type { TranscriptEntry, TranscriptToolCall } from '../../../src/core/transcript/transcript';
import { Icon } from '../../base/icon';
import { Markdown } from '../../base/markdown';
import { parseMarkdown } from '../../base/markdownTree';
import { Media } from '../../base/media';
import { useActions } from '../state/actions';
import { isCallOpen, toolLines } from '../state/readingMode';
import type { EntryView } from '../state/viewModel';
import type { Mode, Opened } from '../state/viewState';
import { FoldedCode } from './foldedCode';

export interface MessageBodyProps {
  readonly view: EntryView;
  readonly entry: TranscriptEntry;
  readonly mode: Mode;
  readonly opened: Opened | undefined;
  onOpen(what: string, open: boolean): void;
}

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

interface ExtraCardProps extends MessageBodyProps {
  readonly extra: MessageExtra;
  /** What the card is called in `Opened` and in part ids, such as `aside0`. */
  readonly id: string;
}

/** Reasoning, an image, a search of the provider: one line, and its content on demand. */
export function ExtraCard({ extra, id, view, entry, mode, opened, onOpen }: ExtraCardProps): VNode {
  const open = opened?.[id] ?? (mode === 'verbose' || (mode === 'normal' && extra.media !== undefined));
  const { openLink } = useActions();
  const part = `${id}.text`;
  return (
    <div class={`aside ${open ? 'open' : 'closed'}`}>
      <button type="button" class="aside-head" aria-expanded={open} onClick={() => onOpen(id, !open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="aside-label">{extra.label}</span>
        {!open && <span class="preview">{previewText(extra.text)}</span>}
      </button>
      {open && (
        <div class="aside-body">
          <Media media={extra.media} label={extra.label} />
          {extra.label === 'Reasoning' ? (
            <div class="reasoning" data-part={part}>
              <Markdown nodes={parseMarkdown(extra.text)} onLink={openLink} />
            </div>
          ) : (
            <FoldedCode
              view={view}
              entry={entry}
              part={part}
              text={extra.text}
              maxLines={toolLines(mode)}
              open={opened?.[part] ?? false}
              onOpen={() => onOpen(part, true)}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** The beginning of a text in one line, without the marks of markdown. */
export function previewText(text: string): string {
  return text
    .slice(0, 400)
    .replace(/\s+/g, ' ')
    .replace(/(^|\s)(?:#{1,6}|>|[-*]) /g, '$1')
    .replace(/\*\*|__|`/g, '');
}
