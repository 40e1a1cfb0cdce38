import type { RunMode } from '../../core/model/artifact';
import type { RequestedMode } from '../../core/model/run';
import { message, t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { hostOf, isLoopback } from './hosts';
import { KeyRing } from './keyRing';

/** Why a request leaves this process. */
export type NetworkReason =
  | 'provider'
  | 'editor-model'
  | 'proxy-upstream'
  | 'agent-service'
  | 'tool'
  | 'flakestorm-agent'
  | 'langsmith';

/**
 * What the task at hand may reach. Every outgoing request asks for one, so that none is made that the user did not choose,
 * whatever the code before it does.
 */
export class NetworkPolicy {
  readonly keys: KeyRing;
  readonly #reach: 'nobody' | 'own agents' | 'all';

  private constructor(reach: 'nobody' | 'own agents' | 'all', keys: KeyRing) {
    this.#reach = reach;
    this.keys = keys;
  }

  /** For everything that replays, checks or lists: nobody is reached, and no key is had. */
  static readonly OFFLINE = new NetworkPolicy(
    'nobody',
    KeyRing.confirmed(() => undefined, []),
  );

  /** For a mode that the user chose: a replay reaches nobody but the user's own agent, which it tests. */
  static for(mode: RequestedMode, keys: KeyRing): NetworkPolicy {
    return new NetworkPolicy(mode === 'replay' ? 'own agents' : 'all', keys);
  }

  /** The policy for a run in this mode: never more than this one. */
  narrowedTo(mode: RunMode): NetworkPolicy {
    if (mode === 'scripted') return NetworkPolicy.OFFLINE;
    if (mode === 'replay' && this.#reach === 'all') return new NetworkPolicy('own agents', this.keys);
    return this;
  }

  /** Throws a `UserError` unless the user chose to call providers. */
  requireRecording(reason: NetworkReason, place: string): void {
    if (this.#reach !== 'all') throw offlineError(reason, place);
  }

  /** Rejects with a `UserError` if a request for this reason may not be made. */
  async admit(reason: NetworkReason, url: URL): Promise<void> {
    if (reason !== 'agent-service' || this.#reach !== 'own agents') {
      this.requireRecording(reason, hostOf(url));
      return;
    }
    if (isLoopback(url) || (await this.keys.isConfirmedHost(url))) return;
    const host = hostOf(url);
    throw new UserError(
      () => t('a replay does not reach {0}: the agent of this case is not on this machine', host),
      () => t('If it is your own, allow it for this project: --allow-host {0}. In VS Code, Re-record asks.', host),
    );
  }
}

export const { OFFLINE } = NetworkPolicy;

const WHAT: Readonly<Record<NetworkReason, string>> = {
  provider: message('the provider'),
  'editor-model': message('a model of the editor'),
  'proxy-upstream': message('the upstream'),
  'agent-service': message('the agent'),
  tool: message('the tool'),
  'flakestorm-agent': message('the agent'),
  langsmith: 'LangSmith',
};

function offlineError(reason: NetworkReason, place: string): UserError {
  return new UserError(
    () => t('{0} at {1} was not called: nothing is sent in this mode', WHAT[reason], place),
    () => t('Record the case instead: --record, or Re-record in VS Code.'),
  );
}
