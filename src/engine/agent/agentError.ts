import type { FailureKind } from '../../core/model/run';

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
