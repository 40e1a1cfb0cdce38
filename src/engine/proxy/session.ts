import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Drift } from '../../core/match/explainDrift';
import type { RecordedInteraction } from '../../core/model/interaction';
import type { Forwarder } from '../network/forward';
import type { ResumeAt } from '../recording/writeTake';
import type { LazyRedactor } from './lazyRedactor';
import type { RedactedRequest } from './redactedRequest';
import { sendRefusal } from './refusal';
import type { ReplayTape } from './replayTape';
import type { InteractionReport, MissedRequest } from './report';
import type { Route } from './route';
import { type Pace, sendResponse } from './sendResponse';

/**
 * Where answers come from. `replay`: the tape, and never the network. `record`: the upstream, onto a new take. `auto`:
 * the tape for what is on it, the upstream for what is new. `passthrough`: the upstream, and nothing is kept.
 */
export type ProxyMode = 'replay' | 'record' | 'auto' | 'passthrough';

export interface SessionOptions {
  readonly mode: ProxyMode;
  /** Absent where nothing is replayed. */
  readonly tape?: ReplayTape;
  readonly redactor: LazyRedactor;
  readonly pace: Pace;
  /** In `auto`: the tape answers up to here, and for what comes after it is not asked any more. */
  readonly resume?: ResumeAt | undefined;
  forwarder(): Promise<Forwarder>;
  /** In words, for the agent and for the user. */
  explain(drift: Drift): Promise<string>;
  report(report: InteractionReport): void;
}

/** One request on its way. */
interface Call {
  /** From 0, by arrival. */
  readonly number: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route;
  readonly body: Buffer;
}

type Taken = Awaited<ReturnType<ReplayTape['take']>>;

const NOTHING_RECORDED: Taken = {
  kind: 'missing',
  explain: () => ({ kind: 'missing', recorded: 0, same: [], masks: [] }),
};

/** Fails closed: what cannot be looked into may have keys in it. */
const SEALED =
  'not recorded: its request or its answer is compressed in a way that cannot be undone here, and there may be keys in it. ' +
  'Let the agent and the upstream send plain text, gzip, deflate, br or zstd.';

/** The traffic of one run: decides for each request who answers it, and keeps what is to be recorded. */
export class ProxySession {
  readonly #options: SessionOptions;
  /** By arrival; a place is empty until its answer is there, and stays empty for what cannot be recorded. */
  readonly #recorded: (RecordedInteraction | undefined)[] = [];
  #requests = 0;
  #hasMissed = false;
  /** The take has left the tape, and does not come back to it. */
  #isLive = false;
  /** What upstreams are asked at the moment. */
  readonly #asking = new Set<Promise<void>>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** What upstreams have answered so far, in the order in which it was asked for. */
  get recorded(): readonly RecordedInteraction[] {
    return this.recordedByNumber.map(([, interaction]) => interaction);
  }

  get recordedByNumber(): readonly (readonly [number: number, RecordedInteraction])[] {
    return [...this.#recorded.entries()].flatMap(([number, interaction]) =>
      interaction === undefined ? [] : [[number, interaction] as const],
    );
  }

  /** Answers one request. Rejects only for a bug: what goes wrong is told to the client, and reported. */
  async handle(request: IncomingMessage, response: ServerResponse, route: Route, body: Buffer): Promise<void> {
    const { mode, tape, resume } = this.#options;
    const call: Call = { number: this.#requests++, request, response, route, body };
    this.#isLive ||= typeof resume === 'number' && call.number >= resume;
    if (mode === 'replay' || (mode === 'auto' && !this.#isLive)) {
      const exact = tape?.takeExact(request.method ?? 'GET', route.path, body, route.lane);
      const taken = exact === undefined ? await this.#take(call) : { kind: 'exact' as const, index: exact };
      if ('index' in taken) {
        await this.#play(call, taken);
        return;
      }
      if (mode === 'replay') {
        await this.#miss(call, taken);
        return;
      }
      this.#isLive = resume !== undefined;
    }
    const asking = this.#ask(call);
    this.#asking.add(asking);
    try {
      await asking;
    } finally {
      this.#asking.delete(asking);
    }
  }

  /** Settles when all that was asked for so far is recorded and reported: clients have their answers before that. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#asking);
  }

  async #take(call: Call): Promise<Taken> {
    const { tape } = this.#options;
    if (tape === undefined) return NOTHING_RECORDED;
    return tape.take(await this.#wireRequest(call), call.route.lane);
  }

  async #play(call: Call, taken: Extract<Taken, { index: number }>): Promise<void> {
    const { kind, index } = taken;
    const { tape, pace } = this.#options;
    const answer = tape?.response(index, pace > 0);
    const differs = taken.kind === 'in-order' && { explanation: await this.#options.explain(taken.explain()) };
    this.#report(call, { verdict: kind, index, ...differs });
    if (answer !== undefined) sendResponse(call.response, answer, pace);
    else refuse(call, 400, 'no_answer', `interaction ${index + 1} of the tape has no answer. Record it again.`);
  }

  async #miss(call: Call, missed: Exclude<Taken, { index: number }>): Promise<void> {
    const drift = missed.explain();
    const explanation = await this.#options.explain(drift);
    const first = !this.#hasMissed && { missed: await this.#missedRequest(call, drift) };
    this.#hasMissed = true;
    this.#report(call, { verdict: missed.kind, explanation, ...first });
    refuse(call, 400, missed.kind.replace('-', '_'), explanation);
  }

  async #missedRequest(call: Call, { nearest, masks }: Drift): Promise<MissedRequest> {
    const { describeMissed } = await import('./redactedRequest');
    return describeMissed(await this.#wireRequest(call), nearest?.index, masks);
  }

  async #ask(call: Call): Promise<void> {
    const { upstream, target } = call.route;
    if (target !== undefined) {
      await this.#askAt(call, target);
      return;
    }
    const [variable = ''] = upstream.baseUrlVariables;
    const message = `nobody said where ${upstream.name} is. Set ${variable}, or --upstream ${upstream.name}=URL.`;
    this.#report(call, { verdict: 'unreachable', explanation: message });
    refuse(call, 400, 'no_upstream', message);
  }

  async #askAt(call: Call, target: URL): Promise<void> {
    const { request, response, body, number } = call;
    const records = this.#options.mode !== 'passthrough';
    if (records) this.#recorded[number] = undefined;
    const startedAt = new Date();
    const forwarder = await this.#options.forwarder();
    const answer = await forwarder.forward(request, body, target, response, records);
    if ('unreachable' in answer) {
      const message = `${call.route.upstream.name} at ${target.origin} cannot be reached: ${answer.unreachable}.`;
      this.#report(call, { verdict: 'unreachable', explanation: message });
      refuse(call, 502, 'unreachable', message);
      return;
    }
    if (!records) {
      this.#report(call, { verdict: 'passed' });
      return;
    }
    const { recordableInteraction } = await import('./recordedInteraction');
    const exchange = { wire: await this.#wireRequest(call), target, answer, startedAt };
    const interaction = recordableInteraction(exchange, await this.#options.redactor.get());
    this.#recorded[number] = interaction;
    if (interaction === undefined) this.#report(call, { verdict: 'passed', explanation: SEALED });
    else this.#report(call, { verdict: answer.cutOff ? 'cut-off' : 'recorded' });
  }

  #report({ number, route }: Call, how: Omit<InteractionReport, 'number' | 'path'>): void {
    // A query may hold a key.
    this.#options.report({ number, path: route.path.replace(/\?.*$/s, ''), ...how });
  }

  async #wireRequest({ request, route: { path }, body }: Call): Promise<RedactedRequest> {
    const { redactedRequest } = await import('./redactedRequest');
    return redactedRequest(request, path, body, await this.#options.redactor.get());
  }
}

function refuse({ response, route }: Call, status: number, code: string, message: string): void {
  sendRefusal(response, route.upstream.errors, { status, code: `tapedeck_${code}`, message: `Tapedeck: ${message}` });
}
