import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ComponentChild, VNode } from 'preact';
import { Markdown } from '../../../webview-ui/base/markdown';
import { type MarkdownNode, markdownText, parseMarkdown } from '../../../webview-ui/base/markdownTree';
import { HOSTILE } from '../../ui/transcriptPageTapes';

interface Rendered {
  readonly tag: string;
  readonly props: Readonly<Record<string, unknown>>;
}

/** The elements and the text that preact renders for a Markdown text. */
function render(text: string): { elements: Rendered[]; text: string; links: string[] } {
  const elements: Rendered[] = [];
  const links: string[] = [];
  const visit = (child: ComponentChild): string => {
    if (Array.isArray(child)) return child.map(visit).join('');
    if (typeof child !== 'object' || child === null) return typeof child === 'string' ? child : '';
    const { type, props } = child as VNode<Record<string, unknown>>;
    const { children, ...rest } = props;
    if (typeof type === 'function') return visit((type as (given: object) => ComponentChild)(props));
    elements.push({ tag: type, props: rest });
    return visit(children as ComponentChild);
  };
  const rendered = visit(Markdown({ nodes: parseMarkdown(text), onLink: (url) => links.push(url) }));
  for (const { props } of elements) {
    if (typeof props.onClick === 'function') props.onClick({ stopPropagation() {} });
  }
  return { elements, text: rendered, links };
}

const TAGS = new Set(
  'div span p br hr em strong del code pre blockquote ul ol li sup h3 h4 h5 h6 table thead tbody tr th td input svg path'.split(
    ' ',
  ),
);
const PROPS = new Set(
  'class title role tabIndex onClick onKeyDown type disabled checked start viewBox aria-hidden aria-label fill-rule d dir'.split(
    ' ',
  ),
);

function assertHarmless({ elements, links }: ReturnType<typeof render>): void {
  for (const { tag, props } of elements) {
    assert.ok(TAGS.has(tag), `made a <${tag}>`);
    for (const [name, value] of Object.entries(props)) {
      assert.ok(PROPS.has(name), `gave <${tag}> the attribute ${name}`);
      if (name === 'aria-label') assert.match(String(value), /^(Done|To do)$/);
      if (name.startsWith('on')) assert.equal(typeof value, 'function');
      if (name === 'class')
        assert.match(String(value), /^(markdown|link|image|icon|table-scroller|align-(left|right|center))$/);
      if (name === 'type') assert.equal(value, 'checkbox');
      if (name === 'dir') assert.match(String(value), /^(auto|ltr)$/);
    }
  }
  for (const link of links) assert.match(link, /^(https?:|mailto:)/i);
}

describe('markdown', () => {
  it('makes elements of what markdown can say', () => {
    const { elements, text } = render(
      '# Title\n\n- [x] *done* ~~no~~\n\n| a | b |\n|--:|---|\n| 1 | `2` |\n\n3. three\n',
    );
    const tags = elements.map(({ tag }) => tag);
    for (const tag of ['h3', 'ul', 'li', 'input', 'em', 'del', 'table', 'th', 'td', 'code', 'ol'])
      assert.ok(tags.includes(tag), tag);
    assert.equal(elements.find(({ tag }) => tag === 'td')?.props.class, 'align-right');
    assert.equal(elements.find(({ tag }) => tag === 'ol')?.props.start, '3');
    assert.equal(elements.find(({ tag }) => tag === 'input')?.props.checked, true);
    assert.match(text, /Title\s+done no\s+a\s+b\s+1\s+2\s+three/);
  });

  it('shows html as the text it is', () => {
    const html = 'Say <script>alert(1)</script> <b onclick="x()">b</b> <!-- hidden --> &lt;i&gt;';
    const rendered = render(html);
    assert.equal(rendered.text.trim(), 'Say <script>alert(1)</script> <b onclick="x()">b</b> <!-- hidden --> <i>');
    assert.deepEqual(
      rendered.elements.map(({ tag }) => tag),
      ['div', 'p'],
    );
  });

  it('opens only links of the web and mail, and only by asking', () => {
    const schemes = [
      'javascript:alert(1)',
      'data:text/html,x',
      'command:x',
      'file:///etc/passwd',
      'vscode://x',
      '//x.example',
      '/x',
      '#x',
    ];
    const refused = render(schemes.map((url) => `[text](${url})`).join(' '));
    assert.deepEqual(refused.links, []);
    assert.equal(refused.text, schemes.map(() => 'text').join(' '));
    const taken = render('[a](https://a.example/x?y=1&z="2") <mailto:b@b.example> www.c.example');
    assert.deepEqual(taken.links, ['https://a.example/x?y=1&z=%222%22', 'mailto:b@b.example', 'http://www.c.example']);
    assert.ok(taken.elements.every(({ props }) => !('href' in props)));
  });

  it('puts a label where an image would be loaded from', () => {
    const rendered = render(
      '![a chart](https://a.example/x.png) ![](data:image/png;base64,AA) [![in a link](https://b.example/i.png)](https://c.example)',
    );
    assert.equal(rendered.text, 'Image: a chart Image Image: in a link');
    assert.deepEqual(rendered.links, ['https://a.example/x.png', 'https://c.example']);
    assert.ok(rendered.elements.every(({ tag }) => tag !== 'img'));
  });

  it('keeps footnotes readable without links within the page', () => {
    const rendered = render('Said[^1].\n\n[^1]: The note.');
    assert.match(rendered.text, /Said1\.\s+Footnotes\s+The note\./);
    assert.deepEqual(rendered.links, []);
  });

  it('survives nesting that would overflow a renderer, and texts that would take it minutes', () => {
    for (const text of [`${'>'.repeat(30_000)} a`, '- '.repeat(10_000), '[a]('.repeat(20_000), 'a**b'.repeat(20_000)]) {
      assert.ok(markdownText(parseMarkdown(text)).length > 0);
    }
    const steps = Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n');
    assert.ok(depthOf(parseMarkdown(steps)) <= 34);
  });

  it('is harmless for hostile text', () => assertHarmless(render(HOSTILE)));

  it('is harmless for any text, and shows the text it says it shows', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<',
        '>',
        '"',
        '&',
        '\n',
        '](',
        '![',
        '[x]',
        '`',
        '|',
        '- ',
        '    ',
        '&lt;',
        '<script',
        ' onclick="x"',
        'javascript:',
        '<!--',
        '[^1]: ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const rendered = render(text);
        assertHarmless(rendered);
        assert.equal(rendered.text, markdownText(parseMarkdown(text)));
      }),
      { numRuns: 300 },
    );
  });
});

function depthOf(nodes: readonly MarkdownNode[]): number {
  return Math.max(0, ...nodes.map((node) => (typeof node === 'string' ? 0 : 1 + depthOf(node.children))));
}
