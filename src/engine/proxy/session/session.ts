import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Drift } from '../../../core/match/explainDrift';
import { message, t } from '../../../core/text/l10n';
import { english, type Said } from '../../../core/text/notice';
import type { TelemetryRequest } from '../../../core/wire/telemetry';
import type { CapturedResponse } from '../../network/capturedResponse';
import type { HiddenInteraction, HiddenRequest } from '../../recording/hidden';
import type { CapturedExchange } from '../../recording/recordExchange';
import { type Links, linksOf, mayHaveLinks, proxyHeaders, proxyLinks } from '../routes/links';
import { type Route, sentTo } from '../routes/route';
import type { ServedResponse } from '../tape/servedResponse';
import {
  type Call,
  foreignKeyIn,
  NOTHING_RECORDED,
  refuse,
  refuseIgnored,
  type Taken,
  unreadResponse,
  withoutResponse,
} from './call';
import type { Decision } from './heldCalls';
import { withProxyLinks } from './linkedResponse';
import type { InteractionReport, MissedRequest } from './report';
import { sendQuietly, sendResponse } from './sendResponse';
import { sendTelemetry } from './sendTelemetry';
import type { SessionOptions } from './sessionOptions';
import type { TalkCall, TalkDoor } from './talkCall';
import type { Talks } from './talks';

const EDITED = message('Its response was edited while it was held.');
const STOPPED = message('It was stopped while it was held.');
const GIVEN_UP = message('The agent closed the connection while it was held.');
const ENDING = message('the recording is ending, so this request was not forwarded.');

/** Fails closed: a body that cannot be read may contain keys. */
const SEALED = message(
  'not recorded: the request or response cannot be searched, so keys in it cannot be removed. Have the agent and the upstream send plain text, gzip, deflate, br or zstd, and compressed files that are complete and not very large; and simplify slow patterns in [redact].',
);

const ONLY_BEGINNING = message(
  'the response is longer than a tape holds: its beginning is recorded, as of a response that broke off. What the agent got was whole.',
);

/** The traffic of one run: serves each request from the tape or the upstream, and keeps what is to be recorded. */
export class ProxySession {
  readonly #options: SessionOptions;
  /** By arrival; an entry is undefined until its response is there, and stays so where it cannot be recorded. */
  readonly #recorded: (HiddenInteraction | undefined)[] = [];
  #requests = 0;
  #hasMissed = false;
  /** A resumed take has left the tape for good. */
  #isLive = false;
  /** No request is forwarded any more: it would be missing from the tape. */
  #isEnding = false;
  /** By the name of an API, the base of the addresses that clients got as those of the proxy. */
  readonly #linked = new Map<string, string>();
  #talks: Promise<Talks> | undefined;
  /** The requests to upstreams in progress, and what is still to be reported. */
  readonly #inProgress = new Set<Promise<unknown>>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** How many requests have arrived. */
  get requests(): number {
    return this.#requests;
  }

  /** The exchanges with upstreams so far, in the order of their requests. */
  get recorded(): readonly HiddenInteraction[] {
    return this.recordedByNumber.map(([, interaction]) => interaction);
  }

  get recordedByNumber(): readonly (readonly [number: number, HiddenInteraction])[] {
    return [...this.#recorded.entries()].flatMap(([number, interaction]) =>
      interaction === undefined ? [] : [[number, interaction] as const],
    );
  }

  /** Where addresses of the proxy in a request lead, of an API whose responses had such addresses. */
  linkedBase(api: string): string | undefined {
    return this.#linked.get(api);
  }

  /** A number for what arrives beside HTTP, such as a message to an MCP server: all are numbered in one order. */
  nextNumber(): number {
    return this.#requests++;
  }

  /** Whether requests that are on the tape byte for byte get their recording at once, and nothing else is done. */
  get isQuick(): boolean {
    const { mode, holds, rewriter, tape, pace } = this.#options;
    return mode === 'replay' && !holds && !rewriter && tape !== undefined && pace === 0;
  }

  /** The recording of exactly this request, reported as served; undefined where `handle` has to find out more. For one that `isQuick`. */
  replayNow(method: string, route: Route, body: Buffer): ServedResponse | undefined {
    const index = route.isIgnored ? undefined : this.#exactIndex(method, route, body);
    if (index === undefined) return undefined;
    return this.#exactResponse(this.#requests++, route, index);
  }

  /** Handles one request. Rejects only for a bug; every other error goes to the client and into the report. */
  async handle(request: IncomingMessage, response: ServerResponse, route: Route, body: Buffer): Promise<void> {
    const { mode, resume, isFork, rewriter, holds } = this.#options;
    if (route.isIgnored && mode === 'replay') {
      refuseIgnored(response, route);
      return;
    }
    let call: Call = { number: this.#requests++, request, response, route, body };
    this.#isLive ||= typeof resume === 'number' && call.number >= resume;
    if (mode === 'replay' || (mode === 'auto' && !this.#isLive)) {
      if (isFork && rewriter !== undefined) call = await rewriter.withRecordedModel(call, this.#options.tape);
      const taken = this.#takeNow(call) ?? (await this.#take(call));
      const decision = await holds?.replayed(call, taken, () => this.#wireRequest(call));
      if (decision !== undefined && (await this.#isDone(call, decision, taken))) return;
      if ('index' in taken) {
        await this.#play(call, taken);
        return;
      }
      if (mode === 'replay' || isFork) {
        await this.#miss(call, taken);
        return;
      }
      this.#isLive = resume !== undefined;
    }
    await this.#awaited(this.#forward(call));
  }

  /** Handles the handshake of a WebSocket or a call of gRPC, and what is said. A handshake that was refused is a request like any other. */
  async talk(asked: Omit<TalkCall, 'number' | 'body'>): Promise<void> {
    const { mode, tape, resume } = this.#options;
    const { request, response, route } = asked;
    const body = Buffer.alloc(0);
    const isIgnored = route.isIgnored && mode === 'replay';
    const talks = await this.#talksOf();
    const call: TalkCall = { ...asked, number: this.#requests, body };
    const isPast = this.#isLive || (typeof resume === 'number' && call.number >= resume);
    const isPlayed = tape !== undefined && mode !== 'record' && !isPast && (await talks.isOnTape(tape, call));
    if (isIgnored || (mode === 'replay' && !isPlayed)) {
      await this.handle(request, response, route, body);
      return;
    }
    const numbered = { ...call, number: this.#requests++ };
    if (isPlayed) {
      const missed = await this.#awaited(talks.replay(tape, numbered));
      if (missed !== undefined) await this.#miss(numbered, missed);
    } else await this.#awaited(this.#openTalk(numbered, talks));
  }

  async #openTalk(call: TalkCall, talks: Talks): Promise<void> {
    const { target } = call.route;
    if (this.#isEnding || target === undefined) {
      await this.#forward(call);
      return;
    }
    const sent = sentTo(target, call.route);
    const isOfProject = (call.route.ofHost ?? call.route.upstream).isOfProject;
    if (isOfProject && !(await this.#hasOwnKeys(call, sent))) return;
    if (this.#options.mode !== 'passthrough' && !call.route.isIgnored) this.#recorded[call.number] = undefined;
    await talks.record(call, target, sent);
  }

  #talksOf(): Promise<Talks> {
    const door: TalkDoor = {
      report: (call, how) => this.#report(call, how),
      keep: async (number, interaction) => {
        this.#recorded[number] = interaction;
        await this.#options.journal?.add(number, interaction);
      },
      recordRefusal: async (call, target, captured, startedAt) => {
        if (this.#options.mode === 'passthrough' || call.route.isIgnored)
          await this.#report(call, { verdict: 'passed' });
        else await this.#record(call, { target, captured, startedAt }, undefined);
        sendResponse(call.response, responseOf(captured), 0);
      },
      missed: async (describe) => {
        const first = this.#hasMissed ? {} : { missed: await describe() };
        this.#hasMissed = true;
        return first;
      },
      wire: (call) => this.#wireRequest(call),
    };
    this.#talks ??= import('./talks').then(({ Talks }) => new Talks(this.#options, door));
    return this.#talks;
  }

  /**
   * Passes telemetry on to where it was sent, and keeps nothing of it. In a replay, and where nobody can be reached, its sender gets a
   * response that it accepts. What an older tape has of it is served, as far as it is the same in every run: what is fetched.
   */
  async passTelemetry(passed: Omit<Call, 'number'>, telemetry: TelemetryRequest): Promise<void> {
    const { mode } = this.#options;
    const { request, response } = passed;
    if (request.method === 'GET' && (mode === 'replay' || mode === 'auto')) {
      const taken = await this.#take({ ...passed, number: this.#requests });
      if ('index' in taken && taken.kind !== 'differs') {
        await this.#play({ ...passed, number: this.#requests++ }, taken);
        return;
      }
    }
    this.#options.onTelemetry(telemetry);
    const isSent = mode !== 'replay' && !this.#isEnding && (await sendTelemetry(passed, this.#options));
    if (!isSent) sendQuietly(response, telemetry.response);
  }

  /** Counts a request of the agent that was refused before its recording was looked for: no part of it is on the tape. */
  async refused(path: string, explanation: string): Promise<void> {
    await this.rejected(path, { verdict: this.#options.mode === 'replay' ? 'missing' : 'unreachable', explanation });
  }

  /** Counts a connection that carried no request. */
  async rejected(path: string, how: Pick<InteractionReport, 'verdict' | 'explanation'>): Promise<InteractionReport> {
    const number = this.#requests++;
    const reported = async (): Promise<InteractionReport> => {
      const report = { number, path: (await this.#options.recorder.get()).text(path), ...how };
      this.#options.report(report);
      return report;
    };
    return this.#awaited(reported());
  }

  /** What `drain` waits for. */
  async #awaited<T>(task: Promise<T>): Promise<T> {
    this.#inProgress.add(task);
    try {
      return await task;
    } finally {
      this.#inProgress.delete(task);
    }
  }

  /** Settles when everything so far is recorded and reported. From now on, no others are forwarded. */
  async drain(): Promise<void> {
    this.#isEnding = true;
    (await this.#talks)?.end();
    await Promise.allSettled(this.#inProgress);
  }

  #takeNow(call: Call): Taken | undefined {
    const { request, route, body } = call;
    const before = this.#options.holds?.takenBefore(call);
    if (before !== undefined) return before;
    const index = this.#exactIndex(request.method ?? 'GET', route, body);
    return index === undefined ? undefined : { kind: 'exact', index };
  }

  /** A tape has no exact keys of hosts: these are left to the matcher. */
  #exactIndex(method: string, { host, path, sessionId }: Route, body: Buffer): number | undefined {
    return host === undefined ? this.#options.tape?.takeExact(method, path, body, sessionId) : undefined;
  }

  async #take(call: Call): Promise<Taken> {
    const { tape } = this.#options;
    if (tape === undefined) return NOTHING_RECORDED;
    return tape.take(await this.#wireRequest(call), call.route.sessionId);
  }

  /** Carries out what was decided about a held request. Returns false if it goes on. */
  async #isDone(call: Call, decision: Decision, taken?: Taken): Promise<boolean> {
    switch (decision.type) {
      case 'respond': {
        const index = taken !== undefined && 'index' in taken && { index: taken.index };
        await this.#report(call, { verdict: taken?.kind ?? 'recorded', ...index, explanation: EDITED });
        sendResponse(call.response, this.#linkedHere(decision.response, call.route), this.#options.pace);
        return true;
      }
      case 'stop':
        await this.#report(call, { verdict: 'unreachable', explanation: STOPPED });
        refuse(call, 400, 'stopped', STOPPED);
        return true;
      case 'gone':
        await this.#report(call, { verdict: 'unreachable', explanation: GIVEN_UP });
        return true;
      case 'closed':
        refuse(call, 503, 'ending', ENDING);
        return true;
      default:
        return false;
    }
  }

  async #play(call: Call, taken: Extract<Taken, { index: number }>): Promise<void> {
    const { kind, index } = taken;
    const { number, route, response } = call;
    if (kind === 'exact') {
      sendResponse(response, this.#exactResponse(number, route, index), this.#options.pace);
      return;
    }
    const recorded = this.#recordedResponse(route, index);
    const differs = kind === 'differs' && explained(await this.#options.explain(taken.explain()));
    await this.#report(call, recorded === undefined ? unreadResponse(index) : { verdict: kind, index, ...differs });
    sendResponse(response, recorded ?? withoutResponse(route, index), this.#options.pace);
  }

  /** The response to a request that is on the tape, which has been reported. Its path has no secret to hide. */
  #exactResponse(number: number, route: Route, index: number): ServedResponse {
    const recorded = this.#recordedResponse(route, index);
    const how = recorded === undefined ? unreadResponse(index) : { verdict: 'exact' as const, index };
    this.#options.report({ number, path: reportedPath(route), ...how });
    return recorded ?? withoutResponse(route, index);
  }

  /** Undefined where it can no longer be read. */
  #recordedResponse(route: Route, index: number): ServedResponse | undefined {
    const { tape, pace } = this.#options;
    const recorded = tape?.response(index, pace > 0);
    return recorded && this.#linkedHere(recorded, route);
  }

  #linkedHere(recorded: ServedResponse, route: Route): ServedResponse {
    const { linkedFrom } = recorded;
    return linkedFrom === undefined ? recorded : withProxyLinks(recorded, this.#linksOf(linkedFrom, route), linkedFrom);
  }

  #linksOf(url: string, route: Route): Links {
    const links = linksOf(url, route);
    this.#linked.set(route.upstream.name, links.upstream);
    return links;
  }

  async #miss(call: Call, missed: Exclude<Taken, { index: number }>): Promise<void> {
    const drift = missed.explain();
    const why = explained(await this.#options.explain(drift));
    const first = !this.#hasMissed && { missed: await this.#missedRequest(call, drift) };
    this.#hasMissed = true;
    await this.#report(call, { verdict: missed.kind, ...why, ...first });
    refuse(call, 400, missed.kind.replace('-', '_'), why.explanation);
  }

  async #missedRequest(call: Call, drift: Drift): Promise<MissedRequest> {
    const { describeMissed } = await import('./missedRequest');
    return describeMissed(await this.#wireRequest(call), drift);
  }

  async #forward(given: Call): Promise<void> {
    const call = await this.#rewritten(given);
    if (call === undefined) return;
    const { upstream, target } = call.route;
    const wire = () => this.#wireRequest(call);
    const held = call.route.isIgnored ? undefined : await this.#options.holds?.sending(call, wire);
    if (held !== undefined && (await this.#isDone(call, held.decision))) return;
    if (this.#isEnding) {
      refuse(call, 503, 'ending', ENDING);
      return;
    }
    if (target !== undefined) {
      await this.#forwardTo(call, target, held?.decision.type === 'ask' ? held.position : undefined);
      return;
    }
    const [variable = ''] = upstream.baseUrlVariables;
    const message = t(
      'no upstream is configured for {0}. Set {1}, or pass --upstream {0}=URL.',
      upstream.name,
      variable,
    );
    await this.#report(call, { verdict: 'unreachable', explanation: message });
    refuse(call, 400, 'no_upstream', message);
  }

  /** The request as it is to be sent; undefined if it has been refused. */
  async #rewritten(call: Call): Promise<Call | undefined> {
    const rewritten = this.#options.rewriter?.rewrite(call) ?? call;
    if (!('refused' in rewritten)) return rewritten;
    await this.#report(call, { verdict: 'unreachable', explanation: rewritten.refused });
    refuse(call, 400, 'not_editable', rewritten.refused);
    return undefined;
  }

  /** `held`: the position in the recording, where the response is held as well. */
  async #forwardTo(call: Call, asked: URL, held?: number): Promise<void> {
    const { request, response, body, number, route } = call;
    const target = sentTo(asked, route);
    const isOfProject = (route.ofHost ?? route.upstream).isOfProject;
    if (isOfProject && !(await this.#hasOwnKeys(call, target))) return;
    const records = this.#options.mode !== 'passthrough' && !route.isIgnored;
    if (records) this.#recorded[number] = undefined;
    const startedAt = new Date();
    const record = (captured: CapturedResponse) => this.#record(call, { target: asked, captured, startedAt }, held);
    const forwarder = await this.#options.forwarder();
    const links = this.#linksOf(target.href, route);
    const unchanged = held === undefined ? undefined : 'whole';
    const hasLinksOfProxy = links.upstream !== links.proxy;
    const captured = await forwarder.forward(
      { request, body, target, response },
      {
        headers: (list) => proxyHeaders(list, links),
        body: (headers) =>
          hasLinksOfProxy && mayHaveLinks(target.href, headers) ? (text) => proxyLinks(text, links) : unchanged,
      },
      records ? record : undefined,
    );
    if ('unreachable' in captured) {
      const message = t('{0} at {1} cannot be reached: {2}.', route.upstream.name, target.origin, captured.unreachable);
      await this.#report(call, { verdict: 'unreachable', explanation: message });
      refuse(call, 502, 'unreachable', message);
      return;
    }
    if (!records) await this.#report(call, { verdict: 'passed' });
  }

  /** Resolves with `responded` where the agent has its response already. */
  async #record(
    call: Call,
    exchange: Omit<CapturedExchange, 'wire'>,
    held: number | undefined,
  ): Promise<'responded' | undefined> {
    const recorder = await this.#options.recorder.get();
    const interaction = recorder.exchange({ ...exchange, wire: await this.#wireRequest(call) });
    if (interaction === undefined) {
      await this.#report(call, { verdict: 'passed', explanation: SEALED });
      return undefined;
    }
    const wire = () => this.#wireRequest(call);
    const decision =
      held === undefined ? undefined : await this.#options.holds?.responded(call, held, interaction, wire);
    if (decision?.type === 'stop') return (await this.#isDone(call, decision)) ? 'responded' : undefined;
    const isEdited = decision?.type === 'respond';
    const kept = isEdited
      ? (await import('./heldCalls')).withEditedResponse(interaction, decision.exchange, recorder)
      : interaction;
    this.#recorded[call.number] = kept;
    await this.#options.journal?.add(call.number, kept);
    if (isEdited) return (await this.#isDone(call, decision)) ? 'responded' : undefined;
    const { cutOff, isBeginning } = exchange.captured;
    await this.#report(call, {
      verdict: cutOff || isBeginning ? 'cut-off' : 'recorded',
      ...(isBeginning && { explanation: ONLY_BEGINNING }),
    });
    return undefined;
  }

  /** Refuses a request whose key may not go to `target`. */
  async #hasOwnKeys(call: Call, target: URL): Promise<boolean> {
    const error = await foreignKeyIn(call.request, target, this.#options);
    if (error === undefined) return true;
    const message = `${error.message}. ${error.fix ?? ''}`.trim();
    await this.#report(call, { verdict: 'unreachable', explanation: message });
    refuse(call, 403, 'foreign_key', message);
    return false;
  }

  async #report({ number, route }: Call, how: Omit<InteractionReport, 'number' | 'path'>): Promise<void> {
    const path = (await this.#options.recorder.get()).url(reportedPath(route));
    this.#options.report({ number, path, ...how });
  }

  async #wireRequest({ request: message, route: { fullPath, target, host }, body }: Call): Promise<HiddenRequest> {
    const { tape } = this.#options;
    const path = target === undefined && tape !== undefined ? await tape.wholePath(fullPath) : fullPath;
    return (await this.#options.recorder.get()).request({ message, path, body, host });
  }
}

/** Without its query, which may contain a key. */
function reportedPath({ host = '', path }: Route): string {
  const end = path.indexOf('?');
  return `${host}${end === -1 ? path : path.slice(0, end)}`;
}

/** The response to a handshake, for the client. */
function responseOf({ status, headers, pieces }: CapturedResponse): ServedResponse {
  const body = Buffer.concat(pieces.map(({ bytes }) => bytes));
  const kept = headers.filter(([name]) => !/^(?:connection|transfer-encoding|content-length|keep-alive)$/i.test(name));
  return { status, headers: [...kept.flat(), 'content-length', `${body.length}`], body };
}

function explained(said: Said): { readonly explanation: string; readonly said: Said } {
  return { explanation: english(said), said };
}
