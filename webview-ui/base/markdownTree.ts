import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { t } from '../../src/core/text/l10n';

/**
 * Recorded Markdown as a tree of text and the few elements below. The renderer creates elements from this tree and never
 * from HTML, so that nothing else can reach the page, whatever the content or micromark does.
 */
export type MarkdownNode = string | MarkdownElement;

export interface MarkdownElement {
  readonly tag: MarkdownTag;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MarkdownNode[];
}

const CONTAINERS = [
  ...['p', 'em', 'strong', 'del', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'sup', 'a'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
] as const;
const VOIDS = ['br', 'hr', 'img', 'input'] as const;

export type MarkdownTag = (typeof CONTAINERS)[number] | (typeof VOIDS)[number];

/** Deeper nesting is flattened: ten thousand block quotes would overflow the renderer's stack. */
const MAX_DEPTH = 32;

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*\/?>/y;
const ATTRIBUTE = /([a-zA-Z-]+)="([^"]*)"/g;

/** Longer texts take the parser seconds, as do shorter ones with lines like `- - - - …`; both stay plain text. */
const MAX_LENGTH = 40_000;
const DEEP_NESTING = /^(?:[ \t]*(?:[-*+>]|\d{1,9}[.)])){40}/m;

/** Parses Markdown. Never throws: a text that the parser cannot handle is returned as plain text. */
export function parseMarkdown(text: string): readonly MarkdownNode[] {
  if (text.length > MAX_LENGTH || DEEP_NESTING.test(text)) return [text];
  try {
    return buildTree(micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }));
  } catch {
    return [text];
  }
}

/** The text content of the rendered nodes. */
export function markdownText(nodes: readonly MarkdownNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : elementText(node))).join('');
}

/** The text in place of an image, which is never loaded. */
export function imageLabel(attributes: MarkdownElement['attributes']): string {
  return attributes.alt ? t('Image: {0}', attributes.alt) : t('Image');
}

function elementText({ tag, attributes, children }: MarkdownElement): string {
  return tag === 'img' ? imageLabel(attributes) : markdownText(children);
}

interface OpenElement {
  readonly tag: string;
  readonly children: MarkdownNode[];
}

/** Parses micromark's output, which is well formed. Elements that are not on the lists are replaced by their children. */
function buildTree(html: string): readonly MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: OpenElement[] = [{ tag: '', children: root }];
  for (let at = 0; at < html.length; ) {
    const siblings = open.at(-1)?.children ?? root;
    TAG.lastIndex = at;
    const [whole, slash, tag = '', source = ''] = TAG.exec(html) ?? [];
    if (whole === undefined) {
      const end = html.indexOf('<', at + 1);
      const text = html.slice(at, end === -1 ? html.length : end);
      siblings.push(decode(text));
      at += text.length;
      continue;
    }
    at += whole.length;
    if (slash === '/') close(open, tag);
    else if (isOneOf(VOIDS, tag)) siblings.push({ tag, attributes: readAttributes(source), children: [] });
    else open.push({ tag, children: openChildren(tag, source, siblings, open.length) });
  }
  return root;
}

/** Adds an allowed element to its siblings. Returns the list for its children. */
function openChildren(tag: string, source: string, siblings: MarkdownNode[], depth: number): MarkdownNode[] {
  // The page has no ids for the back links of footnotes.
  if (source.includes('data-footnote-backref')) return [];
  if (!isOneOf(CONTAINERS, tag) || depth > MAX_DEPTH) return siblings;
  const children: MarkdownNode[] = [];
  siblings.push({ tag, attributes: readAttributes(source), children });
  return children;
}

function close(open: OpenElement[], tag: string): void {
  const at = open.findLastIndex((element) => element.tag === tag);
  if (at > 0) open.length = at;
}

function readAttributes(source: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...source.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, decode(value)]));
}

/** Decodes the four character references that micromark writes. */
function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

function isOneOf<T extends string>(options: readonly T[], value: string): value is T {
  return options.some((option) => option === value);
}
