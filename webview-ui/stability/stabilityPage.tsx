import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RpcPeer } from '../../src/protocol/rpc';
import type { StabilityHost, StabilityReport } from '../../src/protocol/stability';
import { Icon } from '../base/icon';
import { Rules } from './rules';
import { TakesTable } from './takesTable';
import { VariationCard } from './variationCard';

export type StabilityPeer = RpcPeer<Record<string, never>, StabilityHost>;

export interface StabilityPageProps {
  readonly host: StabilityPeer;
  /** Keeps the report, by which the page is restored after the window was loaded anew. */
  onKeep(report: StabilityReport): void;
}

/** What varies between several recordings of a case, and the rules that make them equal. */
export function StabilityPage({ host, onKeep }: StabilityPageProps): VNode {
  const [report, setReport] = useState<StabilityReport>();
  useEffect(() => void host.call('open', undefined).then(setReport), [host]);
  useEffect(() => {
    if (report !== undefined) onKeep(report);
  }, [report]);
  if (report === undefined) return <main class="report" aria-busy="true" />;
  const { name, casePath, takes, folder, varying, ignored, snippets, conclusion } = report;
  return (
    <main class="report">
      <header class="report-head">
        <div>
          <h1>{`Stability of ${name}`}</h1>
          <p class="report-line">{headline(report)}</p>
          <p class="note">
            <button type="button" class="link" onClick={() => void host.call('openCase', undefined)}>
              {casePath}
            </button>
            {` · ${takes} takes in ${folder}`}
          </p>
        </div>
      </header>
      <Failures report={report} />
      <Verdict report={report} />
      {varying.length > 0 && <TakesTable varying={varying} takes={takes} />}
      {snippets.length > 0 && (
        <Rules
          snippets={snippets}
          casePath={casePath}
          conclusion={conclusion}
          onAdd={() => void host.call('addRules', undefined)}
        />
      )}
      {snippets.length === 0 && conclusion !== undefined && <p class="report-part">{conclusion}</p>}
      <Assertions report={report} />
      {varying.length > 0 && (
        <section class="report-part">
          <h2>What varies</h2>
          {varying.map((variation) => (
            <VariationCard key={variation.title + variation.place} variation={variation} />
          ))}
        </section>
      )}
      {ignored.length > 0 && <p class="report-part note">{`Ignored by rules: ${ignored.join(', ')}`}</p>}
    </main>
  );
}

function headline({ varying, takes, failed }: StabilityReport): string {
  const broken = failed.length === 0 ? '' : ` · ${failed.length} failed`;
  if (takes < 2) return `There is nothing to compare${broken}`;
  if (varying.length === 0) return `Equal in all ${takes} takes${broken}`;
  return `${varying.length} ${varying.length === 1 ? 'thing varies' : 'things vary'} in ${takes} takes${broken}`;
}

function Verdict({ report: { varying, takes } }: { readonly report: StabilityReport }): VNode | null {
  if (varying.length > 0 || takes < 2) return null;
  return (
    <section class="card">
      <h2 class="icon-passed">
        <Icon name="check" />
        Nothing varies
      </h2>
      <p class="note">By the rules of this project, all takes compare as equal: a re-recording changes nothing.</p>
    </section>
  );
}

function Failures({ report: { failed } }: { readonly report: StabilityReport }): VNode | null {
  if (failed.length === 0) return null;
  return (
    <section class="card" aria-label="Takes that failed">
      <h2 class="icon-failed">
        <Icon name="error" />
        {failed.length === 1 ? '1 take failed' : `${failed.length} takes failed`}
      </h2>
      <ul class="rows">
        {failed.map(({ take, message }) => (
          <li key={take} class="row">
            <span>{`Take ${take + 1}`}</span>
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
      <h2>Assertions</h2>
      <ul class="rows">
        {assertions.map(({ text, held }) => (
          <li key={text} class={`row assertion ${held === takes ? 'icon-passed' : 'icon-failed'}`}>
            <code>
              <Icon name={held === takes ? 'check' : 'error'} />
              {` ${text}`}
            </code>
            <span class="detail">{held === takes ? 'held in every take' : `held in ${held} of ${takes} takes`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
