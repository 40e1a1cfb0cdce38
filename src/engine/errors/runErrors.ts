import { prettyJson } from '../../core/json/json';
import type { FailureKind, ReplayMiss } from '../../core/model/run';

/** A provider had no answer. The message says what happened, `fix` what to do. */
export class ProviderError extends Error {
  constructor(
    readonly kind: Extract<FailureKind, 'case' | 'replay' | 'provider' | 'unreachable'>,
    message: string,
    readonly fix: string,
    /** Of a request that has no recording: what can be done about it. */
    readonly miss?: ReplayMiss,
    /** What was recorded and what was asked, where there are two requests to compare. */
    readonly requests?: RequestTexts,
  ) {
    super(message);
    this.name = 'ProviderError';
  }
}

/** The agent itself could not do its work, whatever the provider said. `fix` says what to do. */
export class AgentError extends Error {
  constructor(
    readonly kind: Extract<FailureKind, 'case' | 'agent'>,
    message: string,
    readonly fix: string,
  ) {
    super(message);
    this.name = 'AgentError';
  }
}

/** A recorded request and the one that was asked instead, as pretty JSON, for a diff. */
export interface RequestTexts {
  readonly recorded: string;
  readonly asked: string;
}

const MOST_TO_COMPARE = 400_000;

/** None where they are too long to be shown side by side. */
export function requestTexts(recorded: unknown, asked: unknown): RequestTexts | undefined {
  const texts = { recorded: prettyJson(recorded), asked: prettyJson(asked) };
  return texts.recorded.length + texts.asked.length > MOST_TO_COMPARE ? undefined : texts;
}
