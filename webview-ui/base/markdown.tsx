import { cloneElement, Fragment, h, type VNode } from 'preact';
import { externalLink } from '../../src/contracts/externalLink';
import { accepts } from '../../src/core/schema/accepts';
import { t } from '../../src/core/text/l10n';
import { languageOfBlock } from './code/codeLanguage';
import { CodeText } from './code/codeText';
import { Icon } from './icon';
import { imageLabel, type MarkdownElement, type MarkdownNode, type MarkdownTag, markdownText } from './markdownTree';

/** Headings in a message are below the page's own title and sections. */
const RENDERED_AS: Partial<Record<MarkdownTag, string>> = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6' };

/** Called with an http, https or mailto link. The host shows the user where it leads. */
type OnLink = (url: string) => void;

interface MarkdownProps {
  readonly nodes: readonly MarkdownNode[];
  readonly onLink: OnLink;
}

/** Recorded Markdown. It loads nothing, navigates nowhere and has no attributes from the content. */
export function Markdown({ nodes, onLink }: MarkdownProps): VNode {
  return <div class="markdown">{nodes.map((node) => renderBlock(node, onLink))}</div>;
}

/** A block in the direction of its first letter. Code is always written from left to right. */
function renderBlock(node: MarkdownNode, onLink: OnLink | undefined): VNode | string {
  const block = renderNode(node, onLink);
  if (typeof block === 'string' || typeof node === 'string') return block;
  return cloneElement(block, { dir: node.tag === 'pre' ? 'ltr' : 'auto' });
}

function renderNode(node: MarkdownNode, onLink: OnLink | undefined): VNode | string {
  if (typeof node === 'string') return node;
  const { tag, attributes, children } = node;
  if (tag === 'img') return image(attributes, onLink);
  if (tag === 'input') return checkbox('checked' in attributes);
  if (tag === 'a') {
    // Links do not nest: an image in a link is not a link of its own.
    const label = children.map((child) => renderNode(child, undefined));
    return link(attributes.href ?? '', label, onLink);
  }
  if (tag === 'code' && attributes.class !== undefined) return codeBlock(attributes.class, children);
  const content = children.map((child) => renderNode(child, onLink));
  if (tag === 'table')
    return (
      <div class="table-scroller">
        <table>{content}</table>
      </div>
    );
  return h(RENDERED_AS[tag] ?? tag, attributesOf(node), content);
}

/** The code of a block whose fence names a language. */
function codeBlock(name: string, children: readonly MarkdownNode[]): VNode {
  const language = languageOfBlock(name.replace(/^language-/, ''));
  return (
    <code>
      <CodeText text={markdownText(children)} language={language} />
    </code>
  );
}

/** The checkbox of an item in a task list. */
function checkbox(checked: boolean): VNode {
  return <input type="checkbox" disabled checked={checked} aria-label={checked ? t('Done') : t('To do')} />;
}

function attributesOf({ tag, attributes }: MarkdownElement): Record<string, string> {
  if ((tag === 'td' || tag === 'th') && attributes.align) return { class: `align-${attributes.align}` };
  if (tag === 'ol' && attributes.start) return { start: attributes.start };
  return {};
}

/** A link without an href, which could be dragged, middle-clicked or found by VS Code's own link handler. */
function link(url: string, content: (VNode | string)[], onLink: OnLink | undefined): VNode {
  if (onLink === undefined || !accepts(externalLink, url)) return <Fragment>{content}</Fragment>;
  const follow = (event: Event): void => {
    event.stopPropagation();
    onLink(url);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') follow(event);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a real anchor could navigate.
    <span class="link" role="link" tabIndex={0} title={url} onClick={follow} onKeyDown={onKeyDown}>
      {content}
    </span>
  );
}

function image(attributes: MarkdownElement['attributes'], onLink: OnLink | undefined): VNode {
  const label = [<Icon name="file-media" key="icon" />, imageLabel(attributes)];
  return <span class="image">{link(attributes.src ?? '', label, onLink)}</span>;
}
