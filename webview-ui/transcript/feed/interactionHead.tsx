import type { VNode } from 'preact';
import type { Usage } from '../../../src/core/model/usage';
import { formatDollars, formatExactDollars } from '../../../src/core/prices/formatDollars';
import { PRICES_DATE } from '../../../src/core/prices/pricesDate';
import type { MeasureValues } from '../../../src/core/review/measures';
import { counted } from '../../../src/core/text/counts';
import { joinedByCommas } from '../../../src/core/text/joinedByCommas';
import { t } from '../../../src/core/text/l10n';
import type { InteractionSummary } from '../../../src/core/transcript/summary';
import { Icon, type IconName } from '../../base/icon';
import { countDelta, formatDuration, formatUsage, formatUsageDetails, shareDelta } from '../../base/numbers';
import { keyNames, type TranscriptCommand } from '../commands';
import { useEditing } from '../edit/editing';
import { InteractionMenu } from '../edit/interactionMenu';
import { BreakpointButton, HeldMark } from '../hold/holds';
import { RunProgressMark } from '../live/runProgress';
import { useActions } from '../state/actions';
import { Delta, usePreviousInteraction } from '../state/previousTotals';
import type { InteractionView } from '../state/viewModel';

interface InteractionHeadProps {
  readonly view: InteractionView;
  readonly isSource: boolean;
}

/** "#3 · model · tokens · time · cost · continues #2", and the buttons of the interaction. */
export function InteractionHead({ view: { index, summary }, isSource }: InteractionHeadProps): VNode {
  return (
    <header class="interaction-head">
      <BreakpointButton interaction={index} kind={summary.kind} />
      <h2>
        <span class="visually-hidden">{t('Interaction {0}', index + 1)}</span>
        <span aria-hidden="true">
          <span class="number">#</span>
          {index + 1}
        </span>
      </h2>
      {summary.model !== undefined && <span class="model">{summary.model}</span>}
      <Numbers summary={summary} index={index} />
      <Relation summary={summary} />
      <HeldMark interaction={index} />
      <RunProgressMark interaction={index} />
      <HeadActions index={index} isSource={isSource} />
    </header>
  );
}

function HeadActions({ index, isSource }: { readonly index: number; readonly isSource: boolean }): VNode {
  const { change, revealSource } = useActions();
  const { session } = useEditing();
  return (
    <span class="actions">
      <HeadButton
        icon="code"
        label={t('Show Source')}
        command="source"
        pressed={isSource}
        onClick={() => change({ type: 'source', index, shown: !isSource })}
      />
      <HeadButton
        icon="go-to-file"
        label={t('Open Source to the Side')}
        command="openSource"
        onClick={() => revealSource({ interaction: index })}
      />
      <HeadButton
        icon="copy"
        label={t('Copy Interaction as Markdown')}
        command="copyMarkdown"
        onClick={() => void session.copyAs(index, 'markdown')}
      />
      <InteractionMenu interaction={index} />
    </span>
  );
}

interface NumbersProps {
  readonly summary: InteractionSummary;
  readonly index: number;
}

function Numbers({ summary: { numbers }, index }: NumbersProps): VNode {
  const before = usePreviousInteraction(index);
  const { usage, durationMs, firstTokenMs, finishReason, endedEarly, cost, recordedAt } = numbers;
  return (
    <>
      {usage !== undefined && (
        <span class="badge" title={formatUsageDetails(usage)}>
          {formatUsage(usage)}
          <Delta by={usageDelta(usage, before ?? {})} />
        </span>
      )}
      {durationMs !== undefined && (
        <span class="badge" title={timeTitle(durationMs, firstTokenMs, recordedAt)}>
          {formatDuration(durationMs)}
          <Delta by={shareDelta(durationMs, before?.latency)} />
        </span>
      )}
      {cost !== undefined && (
        <span class="badge" title={t('{0} at list prices of {1}', formatExactDollars(cost), PRICES_DATE)}>
          {formatDollars(cost)}
          <Delta by={shareDelta(cost, before?.cost)} />
        </span>
      )}
      {before === null && (
        <span class="badge delta" title={t('Not in the previous recording')}>
          {t('new')}
        </span>
      )}
      {finishReason !== undefined && !ORDINARY_FINISH_REASONS.has(finishReason.toLowerCase()) && (
        <span class="badge badge-odd" title={t('Finish reason')}>
          {finishReason}
        </span>
      )}
      {endedEarly && (
        <span class="badge badge-odd" title={t('The recorded stream has no event with which a complete one ends')}>
          {t('ended early')}
        </span>
      )}
    </>
  );
}

/** The time of an interaction in words: how long until its end and its beginning, and when. */
function timeTitle(durationMs: number, firstTokenMs: number | undefined, recordedAt: string | undefined): string {
  const total = formatDuration(durationMs);
  const took =
    firstTokenMs === undefined
      ? t('{0} in total', total)
      : t('{0} in total, first token after {1}', total, formatDuration(firstTokenMs));
  return recordedAt === undefined ? took : t('{0}. Recorded {1}', took, recordedAt);
}

function usageDelta({ promptTokens, completionTokens }: Usage, before: MeasureValues): string {
  const prompt = countDelta(promptTokens, before['tokens in']);
  const completion = countDelta(completionTokens, before['tokens out']);
  return joinedByCommas([...(prompt ? [t('{0} in', prompt)] : []), ...(completion ? [t('{0} out', completion)] : [])]);
}

/** The response is complete, or the model called tools. */
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

/** The relation of the request to an earlier one, where it is not simply the next turn. */
function Relation({ summary }: { readonly summary: InteractionSummary }): VNode | null {
  const { relation, base, index, repeated } = summary;
  const from = base === undefined ? '' : `#${base + 1}`;
  const hidden = counted(repeated, '{0} message repeated from {1}', '{0} messages repeated from {1}', from);
  if (relation === 'resend') return <span class="standing">{t('repeats {0}', from)}</span>;
  if (relation === 'branch')
    return (
      <span class="standing" title={hidden}>
        {t('branches off {0}', from)}
      </span>
    );
  if (relation === 'continue' && base !== index - 1)
    return (
      <span class="standing" title={hidden}>
        {t('continues {0}', from)}
      </span>
    );
  if (relation === 'start' && repeated > 0)
    return (
      <span class="standing" title={hidden}>
        {t('starts like {0}', from)}
      </span>
    );
  return null;
}

interface HeadButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** The command with the keyboard shortcut. */
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
