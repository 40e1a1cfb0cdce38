import { omitUndefined } from '../json/fields';
import { matchesGlob } from '../text/glob';
import { currentLayouts } from './declaredLayouts';
import type { TapeFormat } from './format';
import { layoutFormat, type TapeLayout } from './formats/shared/layoutFormat';
import type { DeclaredLayout } from './layoutSchema';
import { any, type Mark, markAt } from './marks';
import { withSilentInteractions } from './silentInteractions';
import type { TapeFile } from './tapeFile';

/** The format that a project declares for a file; undefined if it declares none, or the file does not look like it. */
export function declaredFormat(file: TapeFile): TapeFormat | undefined {
  for (const [root, layouts] of Object.entries(currentLayouts())) {
    const path = file.path.startsWith(`${root}/`) ? file.path.slice(root.length + 1) : file.path;
    const named = layouts.filter(({ files }) => files.some((glob) => matchesGlob(glob, path)));
    const format = named.map(formatOf).find((one) => one.looksLike(file));
    if (format !== undefined) return format;
  }
  return undefined;
}

/** Every format that a project declares. */
export function declaredFormats(): readonly TapeFormat[] {
  return Object.values(currentLayouts()).flat().map(formatOf);
}

const made = new WeakMap<DeclaredLayout, TapeFormat>();

/** The format of a layout. Its id is of its name. */
export function formatOf(layout: DeclaredLayout): TapeFormat {
  const format = made.get(layout) ?? makeFormat(layout);
  made.set(layout, format);
  return format;
}

function makeFormat(layout: DeclaredLayout): TapeFormat {
  const { name, lines, files } = layout;
  const extensions = [...new Set(files.flatMap((glob) => /\.(\w+)$/.exec(glob)?.[1] ?? []))];
  return withSilentInteractions(
    layoutFormat({
      id: `layout:${name}`,
      label: name,
      files: extensions,
      marks: marksOf(layout),
      ...(lines === true && { isLines: true as const }),
      layout: tapeLayout(layout),
      isEdited: true,
    }),
  );
}

/** A file of a layout has its list, or in an entry a part of a call that the layout names. */
function marksOf({ lines, entries, request, response, chunks, tool_name: tool }: DeclaredLayout): Mark {
  const inEntry = any(...[request, response, chunks, tool].filter((path) => path !== undefined));
  if (lines === true) return inEntry;
  return entries === undefined ? any(inEntry, markAt('[]', inEntry)) : entries;
}

function tapeLayout(layout: DeclaredLayout): TapeLayout {
  const { entries, kind, models, tools, tool_name: name, tool_input: input, tool_output: output } = layout;
  return omitUndefined({
    entries,
    kind: kind === undefined ? undefined : { at: kind, model: models ?? [], tool: tools ?? [] },
    method: layout.method,
    url: layout.url,
    requestHeaders: layout.request_headers,
    request: layout.request === undefined ? [] : [layout.request],
    status: layout.status === undefined ? undefined : [layout.status],
    responseHeaders: layout.response_headers,
    response: layout.response === undefined ? [] : [layout.response],
    chunks: layout.chunks === undefined ? undefined : [layout.chunks],
    error: layout.error,
    tool: name === undefined ? undefined : { name, input: input ?? '', output: output ?? '' },
    duration: layout.duration,
  });
}
