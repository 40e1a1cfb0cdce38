import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Connected } from '../../../src/contracts/contract';
import type { ShownVariation, StabilityReport } from '../../../src/contracts/engine/stability';
import type { stabilityPage } from '../../../src/contracts/pages/stabilityPage';
import { counted, grouped } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { listed } from '../../../src/core/text/listed';
import { Icon } from '../../base/icon';
import { useShown } from '../../base/useShown';
import { Rules } from './rules';
import { TakesTable, valueLetter } from './takesTable';

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
          <li key={valueLetter(at)}>
            <span class={`letter value-${Math.min(at, 4)}`}>{text === null ? '–' : valueLetter(at)}</span>
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
          {t('Show all {0} values', grouped(values.length))}
        </button>
      )}
    </article>
  );
}

function takesText(takes: readonly number[]): string {
  const numbers = listed(takes.map((take) => String(take + 1)));
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
      {ignored.length > 0 && <p class="report-part note">{t('Ignored by rules: {0}', listed(ignored))}</p>}
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
