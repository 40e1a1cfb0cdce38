import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { MaskPreview, SummaryCase } from '../../../src/contracts/pages/runSummary';
import { grouped } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';

/** What the page can do with cases. */
export interface CaseActions {
  /** False in Restricted Mode. */
  readonly canRun: boolean;
  open(id: string): void;
  review(id: string): void;
  previewMasks(ids: readonly string[]): Promise<readonly MaskPreview[]>;
  mask(ids: readonly string[]): void;
  record(ids: readonly string[]): void;
  acceptBaselines(ids: readonly string[]): void;
}

/** Longer lists are shortened until the user asks for the rest. */
const FEW = 8;

interface CaseListProps {
  readonly cases: readonly SummaryCase[];
  readonly actions: CaseActions;
  /** A detail that stands above the list, and is not repeated. */
  readonly shownLine?: string;
}

export function CaseList({ cases, actions, shownLine }: CaseListProps): VNode {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? cases : cases.slice(0, FEW);
  return (
    <>
      <ul class="rows">
        {shown.map((one) => (
          <CaseRow key={one.id} one={one} actions={actions} isBrief={one.detail === shownLine} />
        ))}
      </ul>
      {shown.length < cases.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {t('Show All {0} Cases', grouped(cases.length))}
        </button>
      )}
    </>
  );
}

interface CaseRowProps {
  readonly one: SummaryCase;
  readonly actions: CaseActions;
  readonly isBrief: boolean;
}

function CaseRow({ one: { id, name, path, detail, outcome }, actions, isBrief }: CaseRowProps): VNode {
  return (
    <li class="row">
      <button type="button" class="link name" title={path} onClick={() => actions.open(id)}>
        {name}
      </button>
      <span class="detail" title={isBrief ? path : detail}>
        {isBrief ? path : detail}
      </span>
      {outcome === 'review' && (
        <button type="button" class="link" aria-label={t('Review {0}', name)} onClick={() => actions.review(id)}>
          {t('Review')}
        </button>
      )}
    </li>
  );
}
