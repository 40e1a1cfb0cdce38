import type { VNode } from 'preact';
import type { Usage } from '../../../src/core/model/usage';
import type { MeasureValues } from '../../../src/core/review/measures';
import type { InteractionSummary } from '../../../src/core/transcript/summary';
import { Icon, type IconName } from '../../base/icon';
import {
  countDelta,
  formatCost,
  formatDuration,
  formatUsage,
  formatUsageDetails,
  shareDelta,
} from '../../base/numbers';
import { keyNames, type TranscriptCommand } from '../commands';
import { useEditing } from '../edit/editing';
import { InteractionMenu } from '../edit/interactionMenu';
import { RunProgressMark } from '../live/runProgress';
import { useActions } from '../state/actions';
import { Delta, usePreviousInteraction } from '../state/previousTotals';
import type { InteractionView } from '../state/viewModel';

/** "#3 · continues #2 · model · time · tokens · cost", and what can be done with the interaction. */
export function InteractionHead({ view, raw }: { readonly view: InteractionView; readonly raw: boolean }): VNode {
  const { change, revealSource } = useActions();
  const { copyAs } = useEditing();
  const { index, summary } = view;
  return (
    <header class="interaction-head">
      <h2>
        <span class="visually-hidden">Interaction </span>
        <span class="number" aria-hidden="true">
          #
        </span>
        {index + 1}
      </h2>
      {summary.model !== undefined && <span class="model">{summary.model}</span>}
      <Numbers summary={summary} index={index} />
      <Relation summary={summary} />
      <RunProgressMark interaction={index} />
      <span class="actions">
        <HeadButton
          icon="code"
          label="Show the recorded source"
          command="raw"
          pressed={raw}
          onClick={() => change({ type: 'raw', index, raw: !raw })}
        />
        <HeadButton
          icon="go-to-file"
          label="Open the source beside"
          command="source"
          onClick={() => revealSource(index)}
        />
        <HeadButton
          icon="copy"
          label="Copy this interaction"
          command="copyMarkdown"
          onClick={() => copyAs(index, 'markdown')}
        />
        <InteractionMenu interaction={index} />
      </span>
    </header>
  );
}

interface NumbersProps {
  readonly summary: InteractionSummary;
  readonly index: number;
}

function Numbers({ summary: { numbers }, index }: NumbersProps): VNode {
  const before = usePreviousInteraction(index);
  const { usage, durationMs, firstTokenMs, finishReason, cost, recordedAt } = numbers;
  const first = firstTokenMs === undefined ? '' : `, the first token after ${formatDuration(firstTokenMs)}`;
  const at = recordedAt === undefined ? '' : `Recorded ${recordedAt}`;
  return (
    <>
      {usage !== undefined && (
        <span class="badge" title={formatUsageDetails(usage)}>
          {formatUsage(usage)}
          <Delta by={usageDelta(usage, before ?? {})} />
        </span>
      )}
      {durationMs !== undefined && (
        <span class="badge" title={`${formatDuration(durationMs)} in all${first}. ${at}`}>
          {formatDuration(durationMs)}
          <Delta by={shareDelta(durationMs, before?.latency)} />
        </span>
      )}
      {cost !== undefined && (
        <span class="badge">
          {formatCost(cost)}
          <Delta by={shareDelta(cost, before?.cost)} />
        </span>
      )}
      {before === null && (
        <span class="badge delta" title="It was not in the recording before this one">
          new
        </span>
      )}
      {finishReason !== undefined && !ORDINARY_FINISH_REASONS.has(finishReason.toLowerCase()) && (
        <span class="badge badge-odd" title="Why the answer ended">
          {finishReason}
        </span>
      )}
    </>
  );
}

function usageDelta({ promptTokens, completionTokens }: Usage, before: MeasureValues): string {
  const asked = countDelta(promptTokens, before['tokens in']);
  const answered = countDelta(completionTokens, before['tokens out']);
  return [asked && `${asked} in`, answered && `${answered} out`].filter(Boolean).join(', ');
}

/** Answers that ended because they were over, or because it is the tools' turn. */
const ORDINARY_FINISH_REASONS = new Set([
  'stop',
  'end_turn',
  'tool_calls',
  'tool_call',
  'tool_use',
  'completed',
  'complete',
  'stop_sequence',
]);

/** How the request stands to the ones before it, where that is not plainly the next turn. */
function Relation({ summary }: { readonly summary: InteractionSummary }): VNode | null {
  const { relation, base, index, repeated } = summary;
  const from = base === undefined ? '' : `#${base + 1}`;
  const hidden = `${repeated} ${repeated === 1 ? 'message' : 'messages'} as in ${from}`;
  if (relation === 'resend') return <span class="standing">{`${from} sent again`}</span>;
  if (relation === 'branch') return <span class="standing" title={hidden}>{`goes back behind ${from}`}</span>;
  if (relation === 'continue' && base !== index - 1)
    return <span class="standing" title={hidden}>{`continues ${from}`}</span>;
  if (relation === 'start' && repeated > 0) return <span class="standing" title={hidden}>{`begins like ${from}`}</span>;
  return null;
}

interface HeadButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** What does the same by a key. */
  readonly command: TranscriptCommand;
  readonly pressed?: boolean;
  onClick(): void;
}

function HeadButton({ icon, label, command, pressed, onClick }: HeadButtonProps): VNode {
  return (
    <button
      type="button"
      class="button-quiet"
      aria-label={label}
      aria-pressed={pressed}
      title={`${label} (${keyNames(command)[0]})`}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
