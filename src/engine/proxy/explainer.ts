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
    "With --on-drift warn, requests that drifted are reported, and served in recorded order, as the tape's own recorder does.",
  ),
  test: message(
    'With on_drift="warn" of its test, requests that drifted are reported, and served in recorded order, as the tape\'s own recorder does.',
  ),
  case: message(
    'With on_drift = "warn" under [llm.replay], drifts are reported and served in the recorded order, as by the tape\'s own recorder.',
  ),
};

export interface ExplainerOptions {
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
    const isStricter = rules.onDrift === 'fail' && tape?.servesInOrder === true;
    const advice = () => (isStricter ? `${t(rerecord)} ${t(LIKE_ITS_RECORDER[masksIn])}` : t(rerecord));
    const words = () => formatDrift(drift, { tape: fromRoot(root, tapePath), rerecord: advice(), masksIn });
    return hideSaid(noticeOf(words), await recorder.get());
  };
}
