import type { VNode } from 'preact';

/** The part of a page's help that is for screen readers: how to move, what is announced, and how to read it as text. */
export function ScreenReaderHelp({ lines }: { readonly lines: readonly string[] }): VNode {
  return (
    <section class="screen-reader-help">
      <h3>Screen Readers</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>
        <kbd>Alt+F1</kbd> opens this help, <kbd>Alt+F2</kbd> the whole page as text.
      </p>
    </section>
  );
}
