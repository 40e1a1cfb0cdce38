import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Connected } from '../../../src/contracts/contract';
import type { ShownVariation, StabilityReport } from '../../../src/contracts/engine/stability';
import type { stabilityPage } from '../../../src/contracts/pages/stabilityPage';
import { CONFIG_FILE } from '../../../src/core/project/layout';
import type { Snippet } from '../../../src/core/stability/snippets';
import { counted, grouped } from '../../../src/core/text/counts';
import { joinedByCommas } from '../../../src/core/text/joinedByCommas';
import { t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import { useShown } from '../../base/useShown';

/** More values are shown when the user asks for them. */
const FEW = 3;

/** One thing that varies, with its values, the most frequent first. */
function VariationCard({ variation }: { readonly variation: ShownVariation }): VNode {
  const { title, place, often, values } = variation;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? values : values.slice(0, FEW);
  return (
    <article class="card">
      <h3>{title}</h3>
      <p class="note">{`${place} · ${often}`}</p>
      <ul class="values">
        {shown.map(({ text, takes }, at) => (
          <li key={at}>
            <span class={`letter value-${Math.min(at, 4)}`}>{valueSign(values, at)}</span>
            {text === null ? (
              <p class="quiet">{t('absent')}</p>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a long value scrolls, so the keyboard has to reach it
              <pre tabIndex={0}>{text}</pre>
            )}
            <span class="note">{takesText(takes)}</span>
          </li>
        ))}
      </ul>
      {shown.length < values.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {t('Show All {0} Values', grouped(values.length))}
        </button>
      )}
    </article>
  );
}

function takesText(takes: readonly number[]): string {
  const numbers = joinedByCommas(takes.map((take) => String(take + 1)));
  return counted(takes.length, 'take {1}', 'takes {1}', numbers);
}

type StabilityPeer = Connected<typeof stabilityPage>;

interface StabilityPageProps {
  readonly host: StabilityPeer;
  /** Keeps the report, by which the page is restored after the window was loaded anew. */
  onKeep(report: StabilityReport): void;
}

/** What varies between several recordings of a case, and the rules that make them equal. */
export function StabilityPage({ host, onKeep }: StabilityPageProps): VNode {
  const { shown: report } = useShown(host.state);
  useEffect(() => {
    if (report !== undefined) onKeep(report);
  }, [report]);
  if (report === undefined) return <main class="report" aria-busy="true" />;
  const { name, casePath, takes, folder, varying, ignored, snippets, everywhere, conclusion } = report;
  const isProposed = snippets.length > 0 || everywhere !== undefined;
  return (
    <main class="report">
      <header class="report-head">
        <div>
          <h1>{t('Stability of {0}', name)}</h1>
          <p class="report-line">{headline(report)}</p>
          <p class="note">
            <button type="button" class="link" onClick={() => void host.calls.openCase(undefined)}>
              {casePath}
            </button>
            {' · '}
            {counted(takes, '{0} take in {1}', '{0} takes in {1}', folder)}
          </p>
        </div>
      </header>
      <Failures report={report} />
      <Verdict report={report} />
      {varying.length > 0 && <TakesTable varying={varying} takes={takes} />}
      {isProposed && (
        <Rules
          snippets={snippets}
          everywhere={everywhere}
          casePath={casePath}
          conclusion={conclusion}
          onAdd={(place) => void host.calls.addRules(place)}
        />
      )}
      {!isProposed && conclusion !== undefined && <p class="report-part">{conclusion}</p>}
      <Assertions report={report} />
      {varying.length > 0 && (
        <section class="report-part">
          <h2>{t('What varies')}</h2>
          {varying.map((variation) => (
            <VariationCard key={variation.title + variation.place} variation={variation} />
          ))}
        </section>
      )}
      {ignored.length > 0 && <p class="report-part note">{t('Ignored by rules: {0}', joinedByCommas(ignored))}</p>}
    </main>
  );
}

function headline({ varying, takes, failed }: StabilityReport): string {
  const broken = failed.length === 0 ? [] : [t('{0} failed', grouped(failed.length))];
  return [variationText(varying.length, takes), ...broken].join(' · ');
}

function variationText(varying: number, takes: number): string {
  if (takes < 2) return t('There is nothing to compare');
  if (varying === 0) return t('Equal in all {0} takes', grouped(takes));
  return counted(varying, '{0} difference between {1} takes', '{0} differences between {1} takes', grouped(takes));
}

function Verdict({ report: { varying, takes } }: { readonly report: StabilityReport }): VNode | null {
  if (varying.length > 0 || takes < 2) return null;
  return (
    <section class="card">
      <h2 class="icon-passed">
        <Icon name="check" />
        {t('Nothing varies')}
      </h2>
      <p class="note">
        {t('By the rules of the project and the case, all takes compare as equal: a re-recording changes nothing.')}
      </p>
    </section>
  );
}

function Failures({ report: { failed } }: { readonly report: StabilityReport }): VNode | null {
  if (failed.length === 0) return null;
  return (
    <section class="card" aria-label={t('Takes that failed')}>
      <h2 class="icon-failed">
        <Icon name="error" />
        {counted(failed.length, '{0} take failed', '{0} takes failed')}
      </h2>
      <ul class="rows">
        {failed.map(({ take, message }) => (
          <li key={take} class="row">
            <span>{t('Take {0}', take + 1)}</span>
            <span class="detail" title={message}>
              {message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How often each assertion held: one that does not always hold is the first to look at. */
function Assertions({ report: { assertions, takes } }: { readonly report: StabilityReport }): VNode | null {
  if (assertions.length === 0 || takes === 0) return null;
  return (
    <section class="report-part">
      <h2>{t('Assertions')}</h2>
      <ul class="rows">
        {assertions.map(({ text, held }) => (
          <li key={text} class={`row assertion ${held === takes ? 'icon-passed' : 'icon-failed'}`}>
            <code>
              <Icon name={held === takes ? 'check' : 'error'} />
              {` ${text}`}
            </code>
            <span class="detail">
              {held === takes ? t('held in every take') : t('held in {0} of {1} takes', grouped(held), grouped(takes))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TakesTableProps {
  readonly varying: readonly ShownVariation[];
  readonly takes: number;
}

/** Which take has which value: equal values have the same letter and shade. */
function TakesTable({ varying, takes }: TakesTableProps): VNode {
  const numbers = Array.from({ length: takes }, (_, take) => take);
  return (
    // A wide table scrolls, by keyboard too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
    <section class="report-part takes" aria-label={t('Values by take')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Values by take')}</th>
            {numbers.map((take) => (
              <th key={take} scope="col" aria-label={t('Take {0}', take + 1)}>
                {take + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {varying.map((variation) => (
            <tr key={variation.title + variation.place}>
              <th scope="row">{variation.title}</th>
              {numbers.map((take) => (
                <TakeCell key={take} variation={variation} take={take} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function TakeCell({ variation, take }: { readonly variation: ShownVariation; readonly take: number }): VNode {
  const at = variation.values.findIndex(({ takes }) => takes.includes(take));
  const text = variation.values[at]?.text;
  return (
    <td class={`value-${Math.min(at, 4)}`} title={text ?? t('absent')}>
      {valueSign(variation.values, at)}
    </td>
  );
}

/** A, B, … Z, then numbers, and a dash for a value that is not there. */
function valueSign(values: ShownVariation['values'], at: number): string {
  if (values[at]?.text === null) return '–';
  const before = values.slice(0, at).filter(({ text }) => text !== null).length;
  return before < 26 ? String.fromCharCode(65 + before) : String(before + 1);
}

interface RulesProps extends Pick<StabilityReport, 'snippets' | 'casePath'> {
  readonly everywhere: StabilityReport['everywhere'];
  readonly conclusion: string | undefined;
  onAdd(place: Snippet['file']): void;
}

/** The rules that make the takes equal, as they would be written: into the case, or where it has none, for the whole project. */
function Rules({ snippets, everywhere, casePath, conclusion, onAdd }: RulesProps): VNode {
  const isForCase = snippets.length > 0;
  const shown = isForCase || everywhere === undefined ? snippets : [everywhere.snippet];
  return (
    <section class="card" aria-label={t('Suggested rules')}>
      <h2 class="icon-quiet">
        <Icon name="tools" />
        {conclusion === undefined ? t('Rules that make all takes equal') : t('Rules that would reduce the differences')}
      </h2>
      {shown.map(({ file, how, table, toml }) => (
        <div key={file + table} class="snippet">
          <p class="note">{placeOf(how, table, file === 'project' ? CONFIG_FILE : casePath)}</p>
          <pre>{toml.trimEnd()}</pre>
        </div>
      ))}
      {isForCase && (
        <p class="actions">
          <button type="button" class="button" onClick={() => onAdd('case')}>
            {t('Add to Case')}
          </button>
        </p>
      )}
      {everywhere !== undefined && (
        <>
          <p class="note">{holdingText(everywhere.cases)}</p>
          <p class="actions">
            <button type="button" class="button-secondary" onClick={() => onAdd('project')}>
              {isForCase ? t('Add to Project Instead') : t('Add to Project')}
            </button>
          </p>
        </>
      )}
      {conclusion !== undefined && <p class="note">{conclusion}</p>}
    </section>
  );
}

function holdingText(cases: number): string {
  return counted(
    cases,
    'In {1}, rules apply to the only case of the project.',
    'In {1}, rules apply to all {0} cases of the project: they hide such a change in each of them.',
    CONFIG_FILE,
  );
}

function placeOf(how: Snippet['how'], table: string, file: string): string {
  if (how === 'add') return t('Added to {0}', file);
  return how === 'replace' ? t('In {0}, instead of [{1}]', file, table) : t('In {0}, below [{1}]', file, table);
}
