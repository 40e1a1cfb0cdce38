import type { Drift } from '../../../core/match/explainDrift';
import type { Said } from '../../../core/text/notice';
import type { HiddenInteraction, HiddenRequest } from '../../recording/hidden';
import type { LazyRecorder } from '../../recording/openRecorder';
import type { Recorder } from '../../recording/recorder';
import type { LoadedTape } from '../tape/loadedTape';
import type { Call, Taken } from './call';
import type { Decision } from './heldCalls';
import type { HoldGate } from './holdGate';

interface HoldParts {
  readonly gate: HoldGate;
  readonly recorder: LazyRecorder;
  explain(drift: Drift): Promise<Said>;
  /** The tape that requests are compared with: the one that is replayed, or in a recording the last take. */
  tape(): Promise<LoadedTape | undefined>;
}

type DescribedParts = Pick<HoldParts, 'gate' | 'explain'> & {
  readonly recorder: Recorder;
  readonly wire: HiddenRequest;
};
type Wire = () => Promise<HiddenRequest>;

const GO_ON: Decision = { type: 'continue' };

/** The requests of one session that are held. What describes them is loaded with the first. */
export class SessionHolds {
  readonly #parts: HoldParts;
  /** Recordings of requests whose clients gave up while they were held: SDKs ask again. */
  readonly #givenUp: { readonly call: Call; readonly taken: Taken }[] = [];
  #sent = 0;

  constructor(parts: HoldParts) {
    this.#parts = parts;
  }

  /** The recording that was taken for the same request before. */
  takenBefore(call: Call): Taken | undefined {
    const at = this.#givenUp.findIndex((one) => isSame(one.call, call));
    return at === -1 ? undefined : this.#givenUp.splice(at, 1)[0]?.taken;
  }

  /** What is to become of a request of a replay; it goes on where it is not held. */
  async replayed(call: Call, taken: Taken, wire: Wire): Promise<Decision> {
    const { gate } = this.#parts;
    const index = 'index' in taken ? taken.index : taken.explain().nearest?.index;
    if (!gate.takes(index)) return GO_ON;
    const [{ holdReplayed }, parts] = await Promise.all([import('./heldCalls'), this.#described(wire)]);
    const decision = await holdReplayed(call, taken, { ...parts, tape: await this.#parts.tape() });
    if (decision.type === 'gone' && 'index' in taken) this.#givenUp.push({ call, taken });
    return decision;
  }

  /** The same of a request that is about to be sent and recorded, with its position among those, from 0. */
  async sending(call: Call, wire: Wire): Promise<{ readonly decision: Decision; readonly position: number }> {
    const position = this.#sent++;
    if (!this.#parts.gate.takes(position)) return { decision: GO_ON, position };
    const [{ holdRecorded }, parts] = await Promise.all([import('./heldCalls'), this.#described(wire)]);
    const tape = await this.#parts.tape();
    return { decision: await holdRecorded(call, position, { ...parts, tape }), position };
  }

  /** The same of a response that the agent does not have yet. */
  async responded(call: Call, position: number, interaction: HiddenInteraction, wire: Wire): Promise<Decision> {
    const [{ holdResponse }, parts] = await Promise.all([import('./heldCalls'), this.#described(wire)]);
    return holdResponse(call, position, interaction, parts);
  }

  async #described(wire: Wire): Promise<DescribedParts> {
    const { gate, recorder, explain } = this.#parts;
    return { gate, explain, recorder: await recorder.get(), wire: await wire() };
  }
}

function isSame(one: Call, other: Call): boolean {
  return (
    one.request.method === other.request.method &&
    one.route.path === other.route.path &&
    one.route.host === other.route.host &&
    one.route.sessionId === other.route.sessionId &&
    one.body.equals(other.body)
  );
}
