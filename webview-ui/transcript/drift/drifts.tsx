import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ShownDrift } from '../../../src/contracts/transcript/transcriptEvents';
import { t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import { sentence } from '../../base/sentence';
import { TextDiff } from '../message/diffText';
import { type Row, rowOf } from '../rows/rows';
import { useActions } from '../state/actions';

/** A drift with its index in the host's event, by which it is fixed. */
interface IndexedDrift extends ShownDrift {
  readonly index: number;
}

export const DriftsContext = createContext<readonly IndexedDrift[]>([]);

/** The drifts of the last runs from this tape, as the host shows them. */
export function indexedDrifts(drifts: readonly ShownDrift[] = []): readonly IndexedDrift[] {
  return drifts.map((drift, index) => ({ ...drift, index }));
}

function useDrifts(): readonly IndexedDrift[] {
  return useContext(DriftsContext);
}

/** The drifts at an interaction, each with its diff and its fixes. */
export function DriftCards({ interaction }: { readonly interaction: number }): VNode {
  const drifts = useDrifts().filter((drift) => drift.interaction === interaction);
  return (
    <>
      {drifts.map((drift) => (
        <DriftCard key={drift.index} drift={drift} />
      ))}
    </>
  );
}

function DriftCard({ drift }: { readonly drift: IndexedDrift }): VNode {
  const { index, caseName, line, message, diff, fixes } = drift;
  const { fixDrift } = useActions();
  return (
    <section class="drift" aria-label={t('Drift of {0}', caseName)}>
      <h3>
        <Icon name="warning" />
        <span>{sentence('{0} drifted here', <bdi>{caseName}</bdi>)}</span>
      </h3>
      <p class="drift-line">{line}</p>
      {diff.length > 0 && <TextDiff diff={diff} />}
      <p class="drift-fixes">
        {fixes.map((title, fix) => (
          <button
            key={title}
            type="button"
            class={fix === 0 ? 'button' : 'button-secondary'}
            onClick={() => fixDrift({ drift: index, fix })}
          >
            {title}
          </button>
        ))}
      </p>
      {diff.length === 0 && message.includes('\n') && (
        <details>
          <summary>{t('Show explanation')}</summary>
          <pre class="drift-message">{message}</pre>
        </details>
      )}
    </section>
  );
}

interface DriftStripProps {
  readonly rows: readonly Row[];
  onGo(key: string): void;
}

/** The drifts of the whole tape. The live region stays on the page, so that a screen reader announces new ones. */
export function DriftStrip({ rows, onGo }: DriftStripProps): VNode {
  const drifts = useDrifts();
  return (
    <div class="drift-strip" role="status">
      {drifts.map(({ index, caseName, interaction }) => {
        const row = rowOf(rows, interaction);
        return (
          <p key={index}>
            <Icon name="warning" />
            <span>
              {sentence(
                '{0} drifted at {1}',
                <bdi>{caseName}</bdi>,
                <button
                  type="button"
                  class="link"
                  disabled={row === undefined}
                  onClick={() => row && onGo(row.view.key)}
                >
                  {`#${interaction + 1}`}
                </button>,
              )}
            </span>
          </p>
        );
      })}
    </div>
  );
}
