import type { VNode } from 'preact';
import type { RecordedStep } from '../../../src/core/model/change';
import { t } from '../../../src/core/text/l10n';
import { CodeText } from '../../base/code/codeText';

/** What the agent did in a recording that is new or gone as a whole. */
export function RecordingPane({ steps }: { readonly steps: readonly RecordedStep[] }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus.
    <section class="diff recording" aria-label={t('What the agent did')} tabIndex={0}>
      <ol>
        {steps.map(({ title, text, language }, index) => (
          <li key={index}>
            <h3>{title}</h3>
            <pre class={language}>
              <CodeText text={text} language={language === 'json' ? language : undefined} />
            </pre>
          </li>
        ))}
      </ol>
    </section>
  );
}
