import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Connected } from '../../../src/contracts/contract';
import type { MaskPreview, SummaryCase, SummaryCause, summaryPage } from '../../../src/contracts/pages/runSummary';
import { counted, grouped } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';
import { Icon, type IconName } from '../../base/icon';
import { sentence } from '../../base/sentence';
import { useShown } from '../../base/useShown';
import { type CaseActions, CaseList } from './caseList';

/** A part of the page, about the cases with one outcome. Drifted cases are in the cards of their causes. */
interface OutcomePart {
  readonly outcome: Exclude<SummaryCase['outcome'], 'drifted'>;
  readonly isFolded: boolean;
  Heading(props: { readonly count: number }): VNode;
}

function outcomePart(
  outcome: OutcomePart['outcome'],
  icon: IconName,
  tone: string,
  words: string,
  isFolded = false,
): OutcomePart {
  return {
    outcome,
    isFolded,
    Heading: ({ count }) => (
      <h2 class={`icon-${tone}`}>
        <Icon name={icon} />
        {t(words, grouped(count))}
      </h2>
    ),
  };
}

/** In the order of the page. */
const OUTCOME_PARTS: readonly OutcomePart[] = [
  outcomePart('running', 'play', 'quiet', message('{0} running')),
  outcomePart('failed', 'error', 'failed', message('{0} failed')),
  outcomePart('review', 'diff', 'warning', message('{0} to review')),
  outcomePart('unchecked', 'info', 'quiet', message('{0} passed without anything to compare')),
  outcomePart('cancelled', 'close', 'quiet', message('{0} cancelled')),
  outcomePart('passed', 'check', 'passed', message('{0} passed'), true),
];

type SummaryPeer = Connected<typeof summaryPage>;

interface SummaryPageProps {
  readonly host: SummaryPeer;
  /** Keeps the cases, by which the page is restored after the window was loaded anew. */
  onKeep(cases: readonly string[]): void;
}

/** The summary of a run: what drifted, by its cause, then what failed, and at last what passed. */
export function SummaryPage({ host, onKeep }: SummaryPageProps): VNode {
  const { shown: summary } = useShown(host.state);
  useEffect(() => {
    if (summary !== undefined && summary.cases.length > 0) onKeep(summary.cases.map(({ id }) => id));
  }, [summary]);
  if (summary === undefined) return <main class="report" aria-busy="true" />;
  const { title, line, cases, causes, canRun } = summary;
  const actions: CaseActions = {
    canRun,
    open: (id) => void host.calls.openCase({ id }),
    review: (id) => void host.calls.review({ id }),
    previewMasks: (ids) => host.calls.previewMasks({ ids }),
    mask: (ids) => void host.calls.mask({ ids }),
    record: (ids) => void host.calls.record({ ids }),
    acceptBaselines: (ids) => void host.calls.acceptBaselines({ ids }),
  };
  const byId = new Map(cases.map((one) => [one.id, one]));
  return (
    <main class="report">
      <header class="report-head">
        <div>
          <h1>{title}</h1>
          <p class="report-line" role="status">
            {line}
          </p>
        </div>
        <button
          type="button"
          class="button-secondary"
          disabled={!canRun}
          onClick={() => void host.calls.replay({ ids: cases.map(({ id }) => id) })}
        >
          {t('Replay Again')}
        </button>
      </header>
      {causes.map((cause) => (
        <CauseCard
          key={cause.title + cause.line}
          cause={cause}
          cases={cause.ids.flatMap((id) => byId.get(id) ?? [])}
          actions={actions}
        />
      ))}
      {OUTCOME_PARTS.map((part) => (
        <Part key={part.outcome} part={part} cases={cases} actions={actions} />
      ))}
    </main>
  );
}

interface PartProps {
  readonly part: OutcomePart;
  readonly cases: readonly SummaryCase[];
  readonly actions: CaseActions;
}

/** The cases with one outcome. Those that need nothing are folded. */
function Part({ part, cases, actions }: PartProps): VNode | null {
  const own = cases.filter(({ outcome }) => outcome === part.outcome);
  if (own.length === 0) return null;
  const heading = <part.Heading count={own.length} />;
  if (part.isFolded)
    return (
      <details class="report-part">
        <summary>
          <Icon name="chevron-right" />
          {heading}
        </summary>
        <CaseList cases={own} actions={actions} />
      </details>
    );
  return (
    <section class="report-part">
      {heading}
      {part.outcome === 'unchecked' && (
        <>
          <p class="note">
            {t(
              'These cases have no assertion and no baseline: they pass whatever the agent does. Accept their last runs as baselines, so that later runs are compared with them.',
            )}
          </p>
          <p class="actions part-actions">
            <button
              type="button"
              class="button"
              disabled={!actions.canRun}
              onClick={() => actions.acceptBaselines(own.map(({ id }) => id))}
            >
              {counted(own.length, 'Accept Baseline', 'Accept {0} Baselines')}
            </button>
          </p>
        </>
      )}
      <CaseList cases={own} actions={actions} />
    </section>
  );
}

interface CauseCardProps {
  readonly cause: SummaryCause;
  readonly cases: readonly SummaryCase[];
  readonly actions: CaseActions;
}

/** The drifts that have one cause, with what fixes all of them. */
function CauseCard({ cause, cases, actions }: CauseCardProps): VNode {
  const { title, line, ids } = cause;
  const [preview, setPreview] = useState<readonly MaskPreview[]>();
  return (
    <section class="card" aria-label={title}>
      <h2 class="icon-warning">
        <Icon name="warning" />
        {title}
      </h2>
      <p class="changed">{line}</p>
      {preview === undefined ? (
        <>
          <Fixes cause={cause} actions={actions} onPreview={() => void actions.previewMasks(ids).then(setPreview)} />
          <CaseList cases={cases} actions={actions} shownLine={line} />
        </>
      ) : (
        <MaskPreviewList
          preview={preview}
          onWrite={() => {
            setPreview(undefined);
            actions.mask(ids);
          }}
          onCancel={() => setPreview(undefined)}
        />
      )}
    </section>
  );
}

/** A sentence about a file, with the names that are in the file as code: `to [llm.replay] of each case`. */
function codeParts(text: string): readonly (string | VNode)[] {
  return text
    .split(/(\[[\w.]+\]|\btapedeck\.toml\b)/)
    .map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>));
}

interface FixesProps {
  readonly cause: SummaryCause;
  readonly actions: CaseActions;
  onPreview(): void;
}

function Fixes({ cause: { mask, written, cost, ids }, actions, onPreview }: FixesProps): VNode {
  return (
    <>
      <p class="actions">
        {mask !== undefined && (
          <button type="button" class="button" disabled={!actions.canRun} onClick={onPreview}>
            {counted(ids.length, '{1}…', '{1} in {0} Cases…', mask)}
          </button>
        )}
        <button
          type="button"
          class={mask === undefined ? 'button' : 'button-secondary'}
          disabled={!actions.canRun}
          onClick={() => actions.record(ids)}
        >
          {counted(ids.length, 'Re-record… ({1})', 'Re-record {0} Cases… ({1})', cost)}
        </button>
      </p>
      {written !== undefined && (
        <p class="note">
          {sentence(
            'Adds {0} {1}. You see the edit before it is written, and can undo it.',
            <code>{written.text}</code>,
            codeParts(written.place),
          )}
        </p>
      )}
    </>
  );
}

interface MaskPreviewListProps {
  readonly preview: readonly MaskPreview[];
  onWrite(): void;
  onCancel(): void;
}

/** The lines that masks change in each file, before they are written. The button that writes them has the focus. */
function MaskPreviewList({ preview, onWrite, onCancel }: MaskPreviewListProps): VNode {
  const write = useRef<HTMLButtonElement>(null);
  useEffect(() => write.current?.focus(), []);
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') onCancel();
  };
  return (
    <div class="preview">
      <p class="actions">
        <button
          type="button"
          class="button"
          ref={write}
          disabled={preview.length === 0}
          onKeyDown={onKeyDown}
          onClick={onWrite}
        >
          {counted(preview.length, 'Write to {0} File and Replay', 'Write to {0} Files and Replay')}
        </button>
        <button type="button" class="button-secondary" onKeyDown={onKeyDown} onClick={onCancel}>
          {t('Cancel')}
        </button>
      </p>
      {preview.length === 0 && (
        <p class="note">{t('These files have the masks already, or errors in the Problems view.')}</p>
      )}
      <ul class="rows">
        {preview.map(({ path, removed, added }) => (
          <li key={path} class="preview-file">
            <span class="quiet">{path}</span>
            <pre class="diff">
              {removed.map((line) => (
                <del key={line}>{`${line}\n`}</del>
              ))}
              {added.map((line) => (
                <ins key={line}>{`${line}\n`}</ins>
              ))}
            </pre>
          </li>
        ))}
      </ul>
    </div>
  );
}
