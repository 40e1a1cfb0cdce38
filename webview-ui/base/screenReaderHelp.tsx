import type { VNode } from 'preact';
import { t } from '../../src/core/text/l10n';
import { sentence } from './sentence';

/** The part of a page's help that is for screen readers: how to move, what is announced, and how to read it as text. */
export function ScreenReaderHelp({ lines }: { readonly lines: readonly string[] }): VNode {
  return (
    <section class="screen-reader-help">
      <h3>{t('Screen Readers')}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{t(line)}</li>
        ))}
      </ul>
      <p>{sentence('{0} opens this help, {1} the whole page as text.', <kbd>Alt+F1</kbd>, <kbd>Alt+F2</kbd>)}</p>
    </section>
  );
}
