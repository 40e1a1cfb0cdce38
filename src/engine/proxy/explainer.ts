import type { JoinedRules } from '../../core/cases/toml/replaySpec';
import type { Drift } from '../../core/match/explainDrift';
import type { MasksIn } from '../../core/match/formatDrift';
import { message, t } from '../../core/text/l10n';
import { noticeOf, type Said } from '../../core/text/notice';
import { fromRoot } from '../files/projectPaths';
import { hideSaid } from '../recording/hideError';
import type { LazyRecorder } from '../recording/openRecorder';
import type { ReplayTape } from './tape/replayTape';

const RERECORD = message('Record again with --record, or record only new requests with --auto.');

/** Recorders such as vcrpy do not compare bodies, and a suite may rely on that. */
const LIKE_ITS_RECORDER: Readonly<Record<MasksIn, string>> = {
  options: message(
    "With --match recorder, recordings are served in their order, as the tape's own recorder does, and what differs is reported.",
  ),
  test: message(
    'With on_drift="warn" of its test, requests that drifted are reported, and served in recorded order, as the tape\'s own recorder does.',
  ),
  case: message(
    'With match = "recorder" under [llm.replay], recordings are served in their order, as by the tape\'s own recorder, and what differs is reported.',
  ),
};

interface ExplainerOptions {
  /** The project's root. */
  readonly root: string;
  readonly tapePath: string;
  readonly recorder: LazyRecorder;
  readonly rules: JoinedRules;
  /** A sentence about how to record again. */
  readonly rerecord?: string;
  /** Where the user can declare masks; by default as options of the command. */
  readonly masksIn?: MasksIn;
}

export type Explain = (drift: Drift) => Promise<Said>;

/** What describes a drift, for the agent and for the user. */
export function explainer(options: ExplainerOptions, tape: ReplayTape | undefined): Explain {
  const { root, tapePath, rerecord = RERECORD, masksIn = 'options', recorder, rules } = options;
  return async (drift) => {
    const { formatDrift } = await import('../../core/match/formatDrift');
    const isLenient = rules.onDrift === 'warn' || rules.match === 'recorder';
    const advice = () => {
      // Who lets drifts pass has decided to keep the tape.
      if (isLenient) return drift.kind === 'drifted' ? {} : { rerecord: t(rerecord) };
      return { rerecord: tape?.servesInOrder ? `${t(rerecord)} ${t(LIKE_ITS_RECORDER[masksIn])}` : t(rerecord) };
    };
    const words = () => formatDrift(drift, { tape: fromRoot(root, tapePath), ...advice(), masksIn });
    return hideSaid(noticeOf(words), await recorder.get());
  };
}
