import type { Drift } from '../../../core/match/explainDrift';
import type { Said } from '../../../core/text/notice';
import type { Telemetry } from '../../../core/wire/telemetry';
import type { Forwarder } from '../../network/forward';
import type { Journal } from '../../recording/journal';
import type { LazyRecorder } from '../../recording/openRecorder';
import type { ResumeAt } from '../../recording/writeTake';
import type { ReplayTape } from '../tape/replayTape';
import type { InteractionReport } from './report';
import type { RequestRewriter } from './requestRewriter';
import type { Pace } from './sendResponse';
import type { SessionHolds } from './sessionHolds';

/**
 * Where responses come from. `replay`: the tape, and never the network. `record`: the upstream, onto a new take. `auto`:
 * the tape for recorded requests, the upstream for new ones. `passthrough`: the upstream, and nothing is recorded.
 */
export type ProxyMode = 'replay' | 'record' | 'auto' | 'passthrough';

export interface SessionOptions {
  readonly mode: ProxyMode;
  /** Absent if nothing is replayed. */
  readonly tape?: ReplayTape;
  readonly recorder: LazyRecorder;
  /** Absent if nothing is recorded. */
  readonly journal?: Journal | undefined;
  readonly pace: Pace;
  /** In `auto`: where a new take begins. The tape is used only before that. */
  readonly resume?: ResumeAt | undefined;
  /** With `resume`: the requests before must be as they are on the tape, or nothing is sent. */
  readonly isFork?: true | undefined;
  /** Changes what is sent. */
  readonly rewriter?: RequestRewriter | undefined;
  forwarder(): Promise<Forwarder>;
  /** Rejects with a `UserError` when a request has a key in it that may not go to `target`. */
  requireOwnKeys(target: URL, headers: readonly string[]): Promise<void>;
  /** Describes a drift, for the agent and for the user. */
  explain(drift: Drift): Promise<Said>;
  report(report: InteractionReport): void;
  onTelemetry(telemetry: Telemetry): void;
  /** Present where the user can have requests held. */
  readonly holds?: SessionHolds | undefined;
}
