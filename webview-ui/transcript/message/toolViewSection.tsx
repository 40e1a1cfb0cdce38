import type { VNode } from 'preact';
import { message, t } from '../../../src/core/text/l10n';
import type { EditLine, ToolView, ToolViewKind } from '../../../src/core/transcript/tools/toolView';
import { type CodeLanguage, languageOfFile } from '../../base/code/codeLanguage';
import { formatCount } from '../../base/numbers';
import { FoldedCode, ShowAll } from './foldedCode';

/** What stands beside a call of a well-known tool, as messages. */
export const TOOL_LABELS: Readonly<Record<ToolViewKind, string>> = {
  command: message('Command'),
  edit: message('Edit'),
  write: message('Write'),
  read: message('Read'),
  search: message('Search'),
  fetch: message('Address'),
  action: message('Action'),
};

interface ToolViewProps {
  readonly view: ToolView;
  /** The id of the part, such as `call0.view`. */
  readonly part: string;
  readonly maxLines: number;
  readonly open: boolean;
  onOpen(): void;
}

/** A call of a well-known tool as what it does: a command line, the lines of an edit, a query. */
export function ToolViewContent(props: ToolViewProps): VNode {
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
export function languageOf({ kind, file }: ToolView): CodeLanguage | undefined {
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
        <ShowAll label={t('Show all {0} lines', formatCount(lines.length))} onOpen={onOpen} />
      )}
    </>
  );
}

function renderLine({ type, text }: EditLine): VNode {
  if (type === 'added') return <ins>{`+ ${text}\n`}</ins>;
  if (type === 'removed') return <del>{`\u2212 ${text}\n`}</del>;
  return <span class={`edit-${type}`}>{type === 'place' ? `${text}\n` : `  ${text}\n`}</span>;
}
