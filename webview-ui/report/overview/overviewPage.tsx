import type { VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Connected } from '../../../src/contracts/contract';
import type { overviewPage, ShownOverview } from '../../../src/contracts/pages/overviewPage';
import { formatDollars } from '../../../src/core/prices/formatDollars';
import type { Overview, TapeCount } from '../../../src/core/search/overview';
import { ageText } from '../../../src/core/text/age';
import { counted, plural } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { useShown } from '../../base/useShown';
import type { OverviewActions } from './actions';
import { Attention } from './attention';
import { AgeTable, FormatTable, ModelTable } from './sumTables';
import { TapeRows } from './tapeRows';

type OverviewPeer = Connected<typeof overviewPage>;

/** What all tapes of the workspace come to: what to look at first, then models, ages, costs, and formats. */
export function OverviewPage({ host }: { readonly host: OverviewPeer }): VNode {
  const { state, failure, isReading, read } = useOverview(host);
  const actions: OverviewActions = {
    search: (query) => void host.calls.search({ query }),
    openTape: (path) => void host.calls.openTape({ path }),
  };
  return (
    <main class="report overview" aria-busy={isReading}>
      <header class="report-head">
        <div>
          <h1>{t('All tapes')}</h1>
          <p class="report-line" role="status">
            {failure ?? (state === undefined ? t('Reading tapes…') : headline(state.overview))}
          </p>
        </div>
        <button type="button" class="button-secondary" disabled={isReading} onClick={read}>
          {failure === undefined ? t('Refresh') : t('Try again')}
        </button>
      </header>
      {state !== undefined && state.overview.tapes > 0 && <Parts state={state} actions={actions} />}
    </main>
  );
}

interface OverviewReading {
  readonly state: ShownOverview | undefined;
  /** Why there is nothing newer to see. */
  readonly failure: string | undefined;
  readonly isReading: boolean;
  read(): void;
}

/** The overview as it was last read: at first, when the user asks, and when the command is run again. */
function useOverview(host: OverviewPeer): OverviewReading {
  const { shown: state } = useShown(host.state);
  const [failure, setFailure] = useState<string>();
  const [isReading, setReading] = useState(true);
  const read = useCallback(() => {
    setReading(true);
    setFailure(undefined);
    host.calls
      .read(undefined)
      .catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)))
      .finally(() => setReading(false));
  }, [host]);
  useEffect(read, [read]);
  return { state, failure, isReading, read };
}

function headline({ tapes, interactions, cost, unpriced }: Overview): string {
  if (tapes === 0) return t('There are no tapes in this workspace.');
  const dear = cost > 0 ? [t('{0} to record', formatDollars(cost))] : [];
  const unknown =
    unpriced > 0
      ? [counted(unpriced, '{0} model call without a known price', '{0} model calls without a known price')]
      : [];
  return [plural(tapes, 'tape'), plural(interactions, 'interaction'), ...dear, ...unknown].join(' · ');
}

interface PartsProps {
  readonly state: ShownOverview;
  readonly actions: OverviewActions;
}

function Parts({ state: { overview, now, names }, actions }: PartsProps): VNode {
  const { models, ages, formats, dearest, oldest } = overview;
  const rows = { names, onOpen: actions.openTape };
  const aged = ({ value }: TapeCount): string => ageText(now - value);
  return (
    <>
      <Attention overview={overview} names={names} actions={actions} />
      {models.length > 0 && <ModelTable models={models} now={now} onSearch={actions.search} />}
      <AgeTable ages={ages} onSearch={actions.search} />
      {dearest.length > 0 && (
        <section class="report-part">
          <h2>{t('Most expensive to record')}</h2>
          <TapeRows {...rows} tapes={dearest} about={({ value }) => formatDollars(value)} />
        </section>
      )}
      {oldest.length > 0 && (
        <section class="report-part">
          <h2>{t('Oldest')}</h2>
          <TapeRows {...rows} tapes={oldest} about={aged} />
        </section>
      )}
      <FormatTable formats={formats} onSearch={actions.search} />
    </>
  );
}
