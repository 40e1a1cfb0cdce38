import type { VNode } from 'preact';
import { Icon } from '../../base/icon';
import type { Row } from '../rows';
import type { Goal } from '../useVirtualRows';
import { useDrifts } from './drifts';

interface DriftStripProps {
  readonly rows: readonly Row[];
  go(goal: Goal): void;
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
