import { createContext, type VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { isDriftState, type ShownDrift, TRANSCRIPT_DRIFTED } from '../../../src/protocol/transcriptEvents';
import { Icon } from '../../base/icon';
import { TextDiff } from '../message/diffText';
import type { Row } from '../rows/rows';
import type { ScrollTarget } from '../rows/useVirtualRows';
import { useActions } from '../state/actions';
import type { TranscriptPeer } from '../state/useTranscript';

/** A drift with its place in what the host told, by which it is mended. */
export interface PlacedDrift extends ShownDrift {
  readonly place: number;
}

export const DriftsContext = createContext<readonly PlacedDrift[]>([]);

/** Where the last runs have drifted from this tape, as the host says. */
export function useDriftEvents(peer: TranscriptPeer): readonly PlacedDrift[] {
  const [drifts, setDrifts] = useState<readonly PlacedDrift[]>([]);
  useEffect(
    () =>
      peer.on(TRANSCRIPT_DRIFTED, isDriftState, ({ drifts: next }) =>
        setDrifts(next.map((drift, place) => ({ ...drift, place }))),
      ),
    [peer],
  );
  return drifts;
}

export function useDrifts(): readonly PlacedDrift[] {
  return useContext(DriftsContext);
}

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

function DriftCard({ drift: { place, caseName, message, diff, fixes } }: { readonly drift: PlacedDrift }): VNode {
  const { fixDrift } = useActions();
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
          <TextDiff diff={diff} />
        </details>
      )}
      <p class="drift-fixes">
        {fixes.map((title, index) => (
          <button
            key={title}
            type="button"
            class="button-secondary"
            onClick={() => fixDrift({ drift: place, fix: index })}
          >
            {title}
          </button>
        ))}
      </p>
    </section>
  );
}

interface DriftStripProps {
  readonly rows: readonly Row[];
  go(goal: ScrollTarget): void;
}

/** At the top of the page: which replays drifted, and where. The place is always there, so that a screen reader hears of it. */
export function DriftStrip({ rows, go }: DriftStripProps): VNode {
  const drifts = useDrifts();
  return (
    <div class="drift-strip" role="status">
      {drifts.map(({ place, caseName, interaction }) => {
        const row = rows.find(({ head }) => head?.index === interaction);
        return (
          <p key={place}>
            <Icon name="warning" />
            {`The last replay of ${caseName} drifted at `}
            <button
              type="button"
              class="link"
              disabled={row === undefined}
              onClick={() =>
                row && go({ key: row.view.key, offset: 12, arrived: (entry) => entry.focus({ preventScroll: true }) })
              }
            >
              {`#${interaction + 1}`}
            </button>
          </p>
        );
      })}
    </div>
  );
}
