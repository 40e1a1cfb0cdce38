import type { ComponentChildren, VNode } from 'preact';
import { formatDollars } from '../../../src/core/prices/formatDollars';
import type { AgeName, AgeSum, FormatSum, ModelSum, Sum } from '../../../src/core/search/overview';
import { ageText } from '../../../src/core/text/age';
import { grouped } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';

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

export function ModelTable({
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

export function AgeTable({ ages, onSearch }: Searching & { readonly ages: readonly AgeSum[] }): VNode {
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

export function FormatTable({ formats, onSearch }: Searching & { readonly formats: readonly FormatSum[] }): VNode {
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
