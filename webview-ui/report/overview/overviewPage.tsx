import type { ComponentChildren, VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Connected } from '../../../src/contracts/contract';
import type { overviewPage, ShownOverview } from '../../../src/contracts/pages/overviewPage';
import { formatDollars } from '../../../src/core/prices/formatDollars';
import type {
  AgeName,
  AgeSum,
  FormatSum,
  ModelSum,
  Overview,
  Sum,
  TapeCount,
  TapeList,
} from '../../../src/core/search/overview';
import { ageText } from '../../../src/core/text/age';
import { counted, grouped, plural } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import { useShown } from '../../base/useShown';
import type { OverviewActions } from './actions';
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
          {failure === undefined ? t('Refresh') : t('Try Again')}
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

interface AttentionProps {
  readonly overview: Overview;
  readonly names: Readonly<Record<string, string>>;
  readonly actions: OverviewActions;
}

/** Tapes to look at: with secrets, with problems, without a user, and what could not be read. */
function Attention({ overview, names, actions }: AttentionProps): VNode {
  const { secrets, problems, orphans, skipped } = overview;
  const rest = { names, actions };
  const isFine = [secrets, problems, orphans, skipped].every(({ tapes }) => tapes === 0);
  if (isFine)
    return (
      <section class="card">
        <h2 class="icon-passed">
          <Icon name="check" />
          {t('Nothing needs attention')}
        </h2>
        <p class="note">{t('No tape has secrets or problems, and each is used by a case or a test.')}</p>
      </section>
    );
  return (
    <>
      <TapeCard
        {...rest}
        list={secrets}
        icon="warning"
        title={counted(secrets.tapes, '{0} tape with secrets', '{0} tapes with secrets')}
        note={t('Redact secrets before you share a tape: open it, and choose Redact in the menu of an interaction.')}
        about={({ value }) => plural(value, 'secret')}
      />
      <TapeCard
        {...rest}
        list={problems}
        icon="warning"
        title={counted(problems.tapes, '{0} tape with problems', '{0} tapes with problems')}
        about={({ value }) => plural(value, 'problem')}
      />
      <TapeCard
        {...rest}
        list={orphans}
        icon="question"
        title={counted(orphans.tapes, '{0} tape that nothing uses', '{0} tapes that nothing uses')}
        note={t('Not used by any case or known test.')}
      />
      <TapeCard
        {...rest}
        list={skipped}
        icon="error"
        title={counted(skipped.tapes, '{0} file that could not be read', '{0} files that could not be read')}
      />
    </>
  );
}

interface TapeCardProps extends Pick<AttentionProps, 'names' | 'actions'> {
  readonly list: TapeList;
  readonly icon: 'warning' | 'question' | 'error';
  readonly title: string;
  readonly note?: string;
  readonly about?: (tape: TapeCount) => string;
}

/** The first tapes of a list; all of them are found by a search. */
function TapeCard({ list, icon, title, note, about, names, actions }: TapeCardProps): VNode | null {
  const { tapes, first, query } = list;
  if (tapes === 0) return null;
  return (
    <section class="card">
      <h2 class={icon === 'error' ? 'icon-failed' : 'icon-warning'}>
        <Icon name={icon} />
        {title}
      </h2>
      {note !== undefined && <p class="note">{note}</p>}
      <TapeRows tapes={first} names={names} onOpen={actions.openTape} {...(about && { about })} />
      {query !== undefined && (
        <button type="button" class="link" title={query} onClick={() => actions.search(query)}>
          {t('Search for Them')}
        </button>
      )}
    </section>
  );
}

interface Searching {
  onSearch(query: string): void;
}

interface TableProps {
  readonly title: string;
  /** Of the columns; the first is of names, and the others of numbers. */
  readonly heads: readonly string[];
  readonly children: ComponentChildren;
}

function SumTable({ title, heads, children }: TableProps): VNode {
  return (
    // A wide table scrolls, by keyboard too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
    <section class="report-part sums" aria-label={title} tabIndex={0}>
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>{heads.map((head) => (head === '' ? <td key={head} /> : <ColumnHead key={head} head={head} />))}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

function ColumnHead({ head }: { readonly head: string }): VNode {
  return <th scope="col">{head}</th>;
}

/** What a row is of, which leads to a search for it. */
function RowHead({ name, query, onSearch }: Searching & { readonly name: string; readonly query?: string }): VNode {
  return (
    <th scope="row">
      {query === undefined ? (
        <bdi>{name}</bdi>
      ) : (
        <button type="button" class="link" title={t('Search for {0}', query)} onClick={() => onSearch(query)}>
          <bdi>{name}</bdi>
        </button>
      )}
    </th>
  );
}

function Counts({ tapes, interactions }: Sum): VNode {
  return (
    <>
      <td>{grouped(interactions)}</td>
      <td>{grouped(tapes)}</td>
    </>
  );
}

/** Absent numbers are not zero. */
const NONE = '–';

function ModelTable({
  models,
  now,
  onSearch,
}: Searching & { readonly models: readonly ModelSum[]; readonly now: number }): VNode {
  const heads = [t('Model'), t('Interactions'), t('Tapes'), t('Failed'), t('Cost'), t('Last recorded')];
  return (
    <SumTable title={t('Models')} heads={heads}>
      {models.map((one) => (
        <tr key={one.model}>
          <RowHead name={one.model} onSearch={onSearch} {...(one.query !== undefined && { query: one.query })} />
          <Counts {...one} />
          <td>{one.failed === 0 ? NONE : grouped(one.failed)}</td>
          <td>{one.cost === undefined ? NONE : formatDollars(one.cost)}</td>
          <td>{one.newest === undefined ? NONE : ageText(now - one.newest)}</td>
        </tr>
      ))}
    </SumTable>
  );
}

const AGES: Readonly<Record<AgeName, string>> = {
  week: message('Less than 7 days'),
  month: message('7 to 30 days'),
  quarter: message('30 to 90 days'),
  year: message('90 to 365 days'),
  older: message('More than 365 days'),
  unknown: message('Without a date'),
};

function AgeTable({ ages, onSearch }: Searching & { readonly ages: readonly AgeSum[] }): VNode {
  const most = Math.max(1, ...ages.map(({ interactions }) => interactions));
  return (
    <SumTable title={t('Ages')} heads={[t('Age'), t('Interactions'), t('Tapes'), '']}>
      {ages.map(({ age, query, ...sum }) => (
        <tr key={age}>
          <RowHead
            name={t(AGES[age])}
            onSearch={onSearch}
            {...(query !== undefined && sum.interactions > 0 && { query })}
          />
          <Counts {...sum} />
          <td class="bar" aria-hidden="true">
            {sum.interactions > 0 && <span style={{ width: `${(100 * sum.interactions) / most}%` }} />}
          </td>
        </tr>
      ))}
    </SumTable>
  );
}

function FormatTable({ formats, onSearch }: Searching & { readonly formats: readonly FormatSum[] }): VNode {
  return (
    <SumTable title={t('Formats')} heads={[t('Format'), t('Interactions'), t('Tapes')]}>
      {formats.map(({ format, query, ...sum }) => (
        <tr key={format}>
          <RowHead name={format} onSearch={onSearch} {...(query !== undefined && { query })} />
          <Counts {...sum} />
        </tr>
      ))}
    </SumTable>
  );
}
