import type { VNode } from 'preact';
import { shortJson } from '../../../src/core/json/formatJson';
import { message, t } from '../../../src/core/text/l10n';
import type { MessageExtra } from '../../../src/core/transcript/messageExtras';
import type { EditLine, ToolView, ToolViewKind } from '../../../src/core/transcript/tools/toolView';
import type { TranscriptEntry, TranscriptToolCall } from '../../../src/core/transcript/transcript';
import { type CodeLanguage, languageOfFile } from '../../base/code/codeLanguage';
import { Icon } from '../../base/icon';
import { Markdown } from '../../base/markdown';
import { parseMarkdown } from '../../base/markdownTree';
import { Media } from '../../base/media';
import { formatCount } from '../../base/numbers';
import { useActions } from '../state/actions';
import { isCallOpen, toolLines } from '../state/readingMode';
import type { EntryView } from '../state/viewModel';
import type { Mode, Opened } from '../state/viewState';
import { FoldedCode, ShowAll } from './foldedCode';

export interface MessageBodyProps {
  readonly view: EntryView;
  readonly entry: TranscriptEntry;
  readonly mode: Mode;
  readonly opened: Opened | undefined;
  onOpen(part: string, open: boolean): void;
}

interface ToolCallCardProps extends MessageBodyProps {
  readonly call: TranscriptToolCall;
  /** The id in `Opened` and of parts, such as `call0`. */
  readonly id: string;
}

/** What stands beside a call of a well-known tool, as messages. */
const TOOL_LABELS: Readonly<Record<ToolViewKind, string>> = {
  command: message('Command'),
  edit: message('Edit'),
  write: message('Write'),
  read: message('Read'),
  search: message('Search'),
  fetch: message('Address'),
  action: message('Action'),
};

/** A tool call with its result. */
export function ToolCallCard({ call, id, view, entry, mode, opened, onOpen }: ToolCallCardProps): VNode {
  const open = isCallOpen(mode, id, opened);
  const fold = (part: string) => ({
    view,
    entry,
    part: `${id}.${part}`,
    maxLines: toolLines(mode),
    open: opened?.[`${id}.${part}`] ?? false,
    onOpen: () => onOpen(`${id}.${part}`, true),
  });
  const isRaw = opened?.[`${id}.arguments`] ?? false;
  const known = isRaw ? undefined : call.view;
  return (
    <div class={`tool-call ${open ? 'open' : 'closed'}`}>
      <div class="tool-call-top">
        <button type="button" class="tool-call-head" aria-expanded={open} onClick={() => onOpen(id, !open)}>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} />
          <span class="visually-hidden">{t('Tool call')} </span>
          <code class="tool-name" data-part={`${id}.name`}>
            {call.name || t('unnamed tool')}
          </code>
          {!open && (
            <span class="preview" dir="auto">
              {oneLine(call.view?.gist ?? call.arguments)}
            </span>
          )}
          {call.server !== undefined && (
            <span class="tool-server quiet" title={serverTitle(call)}>
              <span class="visually-hidden">{t(', carried out by the MCP server ')}</span>
              {call.server}
            </span>
          )}
          {call.isError && <span class="badge badge-failed">{t('failed')}</span>}
        </button>
        {open && call.view !== undefined && (
          <ArgumentsSwitch isRaw={isRaw} onChange={(raw) => onOpen(`${id}.arguments`, raw)} />
        )}
      </div>
      {open && (
        <div class="tool-call-body">
          {known === undefined ? (
            <Section title={t('Arguments')}>
              <FoldedCode text={shortJson(call.arguments)} {...fold('arguments')} />
            </Section>
          ) : (
            <Section title={t(TOOL_LABELS[known.kind])}>
              <ToolViewContent {...fold('view')} view={known} />
            </Section>
          )}
          <Section title={resultTitle(call)}>
            {call.result === undefined ? (
              <p class="quiet">{t('Not recorded')}</p>
            ) : (
              <FoldedCode text={shortJson(call.result)} {...fold('result')} language={resultLanguage(call)} />
            )}
          </Section>
        </div>
      )}
    </div>
  );
}

function serverTitle({ server, serverInteraction }: TranscriptToolCall): string {
  const name = server ?? '';
  return serverInteraction === undefined
    ? t('Carried out by the MCP server {0}', name)
    : t('Carried out by the MCP server {0} in interaction {1}', name, serverInteraction + 1);
}

function resultTitle({ view, isError }: TranscriptToolCall): string {
  if (view?.kind === 'command') return isError ? t('Output (failed)') : t('Output');
  return isError ? t('Result (failed)') : t('Result');
}

/** What is read of a file is written in its language. */
function resultLanguage({ view, isError }: TranscriptToolCall): CodeLanguage | undefined {
  return view?.kind === 'read' && !isError ? languageOf(view) : undefined;
}

interface ArgumentsSwitchProps {
  readonly isRaw: boolean;
  onChange(raw: boolean): void;
}

/** Shows the arguments of a well-known tool as they were recorded. */
function ArgumentsSwitch({ isRaw, onChange }: ArgumentsSwitchProps): VNode {
  return (
    <button
      type="button"
      class="button-quiet"
      aria-label={t('Show Arguments')}
      title={t('Show Arguments')}
      aria-pressed={isRaw}
      onClick={() => onChange(!isRaw)}
    >
      <Icon name="code" />
    </button>
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

function oneLine(text: string): string {
  return text.slice(0, 400).replace(/\s+/g, ' ');
}

interface ExtraCardProps extends MessageBodyProps {
  readonly extra: MessageExtra;
  /** The id in `Opened` and of parts, such as `extra0`. */
  readonly id: string;
}

/** Reasoning, an image, a search by the provider: one line until it is opened. */
export function ExtraCard({ extra, id, view, entry, mode, opened, onOpen }: ExtraCardProps): VNode {
  const open = opened?.[id] ?? (mode === 'verbose' || (mode === 'normal' && extra.media !== undefined));
  const { openLink } = useActions();
  const part = `${id}.text`;
  return (
    <div class={`extra ${open ? 'open' : 'closed'}`}>
      <button type="button" class="extra-head" aria-expanded={open} onClick={() => onOpen(id, !open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="extra-label">{extra.label}</span>
        {!open && (
          <span class="preview" dir="auto">
            {previewText(extra.text)}
          </span>
        )}
      </button>
      {open && (
        <div class="extra-body">
          <Media media={extra.media} label={extra.label} />
          {extra.label === t('Reasoning') ? (
            <div class="reasoning" data-part={part}>
              <Markdown nodes={parseMarkdown(extra.text)} onLink={(url) => openLink({ url })} />
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

/** The beginning of a text on one line, without Markdown syntax. */
export function previewText(text: string): string {
  return text
    .slice(0, 400)
    .replace(/\s+/g, ' ')
    .replace(/(^|\s)(?:#{1,6}|>|[-*]) /g, '$1')
    .replace(/\*\*|__|`/g, '');
}

interface ToolViewProps {
  readonly view: ToolView;
  /** The id of the part, such as `call0.view`. */
  readonly part: string;
  readonly maxLines: number;
  readonly open: boolean;
  onOpen(): void;
}

/** A call of a well-known tool as what it does: a command line, the lines of an edit, a query. */
function ToolViewContent(props: ToolViewProps): VNode {
  const { kind, gist, others } = props.view;
  return (
    <div class={`tool-view tool-view-${kind}`}>
      {kind !== 'command' && (
        <code class="tool-gist" dir="auto">
          {gist}
        </code>
      )}
      <ToolText {...props} />
      {others.length > 0 && (
        <p class="tool-others quiet">
          {others.map((other) => (
            <bdi key={other}>{other}</bdi>
          ))}
        </p>
      )}
    </div>
  );
}

function ToolText({ view, part, maxLines, open, onOpen }: ToolViewProps): VNode | null {
  const { lines, text } = view;
  if (lines !== undefined) return <EditLines lines={lines} maxLines={maxLines} open={open} onOpen={onOpen} />;
  if (text === undefined || text === '') return null;
  const rest = { part, text, maxLines, open, onOpen };
  return <FoldedCode {...rest} language={languageOf(view)} />;
}

/** Of the text of a call, or of the file that it reads. */
function languageOf({ kind, file }: ToolView): CodeLanguage | undefined {
  if (kind === 'command') return 'bash';
  return file === undefined ? undefined : languageOfFile(file);
}

type EditLinesProps = Pick<ToolViewProps, 'maxLines' | 'open' | 'onOpen'> & { readonly lines: readonly EditLine[] };

/** The lines that an edit removes and adds, with a sign in front of each, so that none needs its colour. */
function EditLines({ lines, maxLines, open, onOpen }: EditLinesProps): VNode {
  const shown = open || lines.length <= maxLines * 1.5 ? lines : lines.slice(0, maxLines);
  return (
    <>
      <pre class="code edit-lines">{shown.map(renderLine)}</pre>
      {shown.length < lines.length && (
        <ShowAll label={t('Show All {0} Lines', formatCount(lines.length))} onOpen={onOpen} />
      )}
    </>
  );
}

function renderLine({ type, text }: EditLine): VNode {
  if (type === 'added') return <ins>{`+ ${text}\n`}</ins>;
  if (type === 'removed') return <del>{`\u2212 ${text}\n`}</del>;
  return <span class={`edit-${type}`}>{type === 'place' ? `${text}\n` : `  ${text}\n`}</span>;
}
