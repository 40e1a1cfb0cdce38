import type { ServerResponse } from 'node:http';
import type { HeldRelease, HeldRequest } from '../../../contracts/holds';
import { t } from '../../../core/text/l10n';
import { UserError } from '../../errors/userError';

/** What has become of a held request. `gone`: its client has given up. `closed`: its session has ended. */
export type HeldOutcome = HeldRelease | { readonly type: 'gone' | 'closed' };

/** Turns a release into what is done, and throws a `UserError` if that is impossible. */
type CheckRelease = (release: HeldRelease) => void;

interface Held {
  readonly request: HeldRequest;
  readonly check: CheckRelease;
  settle(outcome: HeldOutcome): void;
}

/** Holds requests of a session, without a time-out, until the user decides. */
export class HoldGate {
  readonly #held = new Map<number, Held>();
  #interactions: ReadonlySet<number> = new Set();
  #holdsNext = false;
  #isClosed = false;
  #ids = 0;

  constructor(private readonly onChange: (held: readonly HeldRequest[]) => void) {}

  set(interactions: readonly number[], holdsNext: boolean): void {
    this.#interactions = new Set(interactions);
    this.#holdsNext ||= holdsNext;
  }

  /** Whether a request of this interaction of the tape is to be held. The next one is taken only once. */
  takes(interaction: number | undefined): boolean {
    if (this.#isClosed) return false;
    const isNext = this.#holdsNext;
    this.#holdsNext = false;
    return isNext || (interaction !== undefined && this.#interactions.has(interaction));
  }

  async hold(request: Omit<HeldRequest, 'id'>, client: ServerResponse, check: CheckRelease): Promise<HeldOutcome> {
    if (this.#isClosed) return { type: 'closed' };
    if (client.destroyed) return { type: 'gone' };
    const id = this.#ids++;
    const leave = (): void => this.#held.get(id)?.settle({ type: 'gone' });
    client.once('close', leave);
    try {
      return await new Promise((settle) => {
        this.#held.set(id, { request: { ...request, id }, check, settle });
        this.#tell();
      });
    } finally {
      client.off('close', leave);
      this.#held.delete(id);
      this.#tell();
    }
  }

  /** Throws a `UserError` if a request is not held any more, or cannot be released so. */
  release(id: number, release: HeldRelease): void {
    const held = this.#held.get(id);
    if (held === undefined)
      throw new UserError(
        () => t('this request is not held any more'),
        () => t('The agent gave up, or it was released elsewhere.'),
      );
    held.check(release);
    if (release.type === 'step') this.#holdsNext = true;
    held.settle(release);
  }

  /** Lets everything go, for the end of the session. */
  close(): void {
    this.#isClosed = true;
    for (const { settle } of this.#held.values()) settle({ type: 'closed' });
  }

  #tell(): void {
    this.onChange([...this.#held.values()].map(({ request }) => request));
  }
}
