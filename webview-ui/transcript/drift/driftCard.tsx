import type { VNode } from 'preact';
import { Icon } from '../../base/icon';
import { useActions } from '../actions';
import { DiffText } from '../diffText';
import { type PlacedDrift, useDrifts } from './drifts';

/** What a replay asked in the place of this interaction, what differs, and what can be done about it. */
export function DriftCards({ interaction }: { readonly interaction: number }): VNode {
  const drifts = useDrifts().filter((drift) => drift.interaction === interaction);
  return (
    <>
      {drifts.map((drift) => (
        <DriftCard key={drift.place} drift={drift} />
      ))}
    </>
  );
}

function DriftCard({ drift: { place, caseName, message, diff, mends } }: { readonly drift: PlacedDrift }): VNode {
  const { mend } = useActions();
  return (
    <section class="drift" aria-label={`Drift of ${caseName}`}>
      <h3>
        <Icon name="warning" />
        {`The last replay of ${caseName} drifted here`}
      </h3>
      <pre class="drift-message">{message}</pre>
      {diff.length > 0 && (
        <details>
          <summary>Recorded and asked, word by word</summary>
          <DiffText diff={diff} />
        </details>
      )}
      <p class="drift-mends">
        {mends.map((title, index) => (
          <button
            key={title}
            type="button"
            class="button-secondary"
            onClick={() => mend({ drift: place, mend: index })}
          >
            {title}
          </button>
        ))}
      </p>
    </section>
  );
}
