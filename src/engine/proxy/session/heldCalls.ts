import type { HeldRelease, HeldRequest, HeldResponse } from '../../../contracts/holds';
import { diffText } from '../../../core/diff/diffText';
import { prettyJson } from '../../../core/json/json';
import { parseJson } from '../../../core/json/readJson';
import { type ComparableRequest, comparableFromExchange, requestInForm } from '../../../core/match/comparableRequest';
import type { Drift } from '../../../core/match/explainDrift';
import type { HttpExchange } from '../../../core/model/http';
import type { Interaction, RecordedInteraction } from '../../../core/model/interaction';
import { editableFields } from '../../../core/tapes/edits/editableResponse';
import type { TapeEdit, TapeResponseEdit } from '../../../core/tapes/format';
import { editExchange } from '../../../core/tapes/formats/shared/editExchange';
import { recordedExchange } from '../../../core/tapes/formats/shared/recordedHttp';
import { t } from '../../../core/text/l10n';
import { type Said, says } from '../../../core/text/notice';
import { decodeContent } from '../../../core/wire/body/body';
import { headerOf } from '../../../core/wire/http';
import { readExchange } from '../../../core/wire/read/readExchange';
import { requestTexts } from '../../errors/runErrors';
import { UserError } from '../../errors/userError';
import { inTheirLanguage } from '../../language';
import type { HiddenInteraction, HiddenRequest } from '../../recording/hidden';
import type { Recorder } from '../../recording/recorder';
import type { LoadedTape } from '../tape/loadedTape';
import { responseFromExchange, type ServedResponse } from '../tape/servedResponse';
import type { Call, Taken } from './call';
import type { HeldOutcome, HoldGate } from './holdGate';

/** What has been decided about a request, with the response that was made for it. */
export type Decision =
  | { readonly type: Exclude<HeldOutcome['type'], 'respond'> }
  | { readonly type: 'respond'; readonly exchange: HttpExchange; readonly response: ServedResponse };

interface Parts {
  readonly gate: HoldGate;
  readonly recorder: Recorder;
  explain(drift: Drift): Promise<Said>;
}

/** Holds a request of a replay, which was searched on the tape already. */
export async function holdReplayed(
  call: Call,
  taken: Taken,
  { wire, tape, ...parts }: Parts & { readonly wire: HiddenRequest; readonly tape: LoadedTape | undefined },
): Promise<Decision> {
  const drift = 'explain' in taken ? taken.explain() : undefined;
  const index = 'index' in taken ? taken.index : drift?.nearest?.index;
  const recorded = index === undefined ? undefined : tape?.interaction(index);
  const text = drift === undefined ? '' : await parts.explain(drift);
  const [headline = '', ...explanation] = inTheirLanguage(() => says(text)).split('\n');
  const base = recorded && responseOf(recorded);
  const held: Omit<HeldRequest, 'id'> = {
    mode: 'replay',
    stage: 'request',
    interaction: index ?? Math.max(0, Math.min(call.number, (tape?.count ?? 1) - 1)),
    to: addressOf(wire),
    headline: inTheirLanguage(() =>
      drift === undefined ? matchHeadline(taken.kind, (index ?? 0) + 1) : capitalised(headline),
    ),
    explanation: explanation.join('\n'),
    diff: recorded === undefined ? [] : requestDiff(recorded, wire),
    continues: 'index' in taken ? 'served' : 'refused',
    response: base === undefined ? null : shownResponse(base),
  };
  return decide(held, call, base, parts);
}

/** Holds a request of a recording before it is sent. */
export async function holdRecorded(
  call: Call,
  position: number,
  { wire, tape, ...parts }: Parts & { readonly wire: HiddenRequest; readonly tape: LoadedTape | undefined },
): Promise<Decision> {
  const recorded = tape?.interaction(position);
  const held: Omit<HeldRequest, 'id'> = {
    mode: 'record',
    stage: 'request',
    interaction: position,
    to: addressOf(wire),
    headline: inTheirLanguage(() =>
      recorded === undefined
        ? t('This is request {0} of the recording. It has not been sent.', position + 1)
        : t(
            'This is request {0} of the recording, compared with interaction {0} of the tape. It has not been sent.',
            position + 1,
          ),
    ),
    explanation: '',
    diff: recorded === undefined ? [] : requestDiff(recorded, wire),
    continues: 'sent',
    response: null,
  };
  return decide(held, call, undefined, parts);
}

/** Holds the response of a recorded request, of which the agent has nothing yet. */
export async function holdResponse(
  call: Call,
  position: number,
  interaction: HiddenInteraction,
  parts: Parts & { readonly wire: HiddenRequest },
): Promise<Decision> {
  const base = responseOf(interaction);
  const held: Omit<HeldRequest, 'id'> = {
    mode: 'record',
    stage: 'response',
    interaction: position,
    to: addressOf(parts.wire),
    headline: inTheirLanguage(() =>
      t('This is the response to request {0} of the recording. The agent does not have it yet.', position + 1),
    ),
    explanation: '',
    diff: [],
    continues: 'served',
    response: base === undefined ? null : shownResponse(base),
  };
  return decide(held, call, base, parts);
}

/** An interaction of a recording with the response that the agent gets in its place. */
export function withEditedResponse(
  interaction: HiddenInteraction,
  http: HttpExchange,
  recorder: Recorder,
): HiddenInteraction {
  const { response } = readExchange(http);
  return recorder.interaction({ ...interaction, http, ...(response && { response }) });
}

async function decide(
  held: Omit<HeldRequest, 'id'>,
  call: Call,
  base: HttpExchange | undefined,
  { gate, recorder }: Parts,
): Promise<Decision> {
  let edited: Extract<Decision, { readonly type: 'respond' }> | undefined;
  const outcome = await gate.hold(recorder.value(held), call.response, (release) => {
    if (release.type === 'ask' && (held.mode === 'replay' || held.stage === 'response'))
      throw new UserError(
        () => t('a replay calls nobody'),
        () => t('Edit the recorded response.'),
      );
    if (release.type !== 'respond') return;
    if (base === undefined)
      throw new UserError(
        () => t('there is no response to edit'),
        () => t('Continue, or stop.'),
      );
    const exchange = editedExchange(base, release);
    const response = responseFromExchange(exchange);
    if (response === undefined)
      throw new UserError(
        () => t('no response has this status'),
        () => t('Use one from 200 to 599.'),
      );
    edited = { type: 'respond', exchange, response };
  });
  return outcome.type === 'respond' ? (edited ?? { type: 'continue' }) : { type: outcome.type };
}

function responseOf(interaction: RecordedInteraction): HttpExchange | undefined {
  if (interaction.http === undefined && interaction.response === undefined) return undefined;
  const exchange = recordedExchange(interaction);
  return exchange.status === undefined ? undefined : exchange;
}

const MOST_TO_EDIT = 400_000;

function shownResponse(exchange: HttpExchange): HeldResponse {
  const fields = editableFields({ response: readExchange(exchange).response, http: exchange });
  const { responseBody, responseHeaders } = exchange;
  const isStream =
    responseBody.type === 'chunks' || /stream|ndjson/.test(headerOf(responseHeaders, 'content-type') ?? '');
  const { text } = isStream ? { text: undefined } : decodeContent(responseBody, responseHeaders);
  if (text === undefined || text.length > MOST_TO_EDIT) return { fields };
  const json = parseJson(text);
  return { fields, body: typeof json === 'object' && json !== null ? prettyJson(json) : text };
}

/** Compares two requests in the form that the tape has. */
function requestDiff(recorded: Interaction, wire: HiddenRequest): HeldRequest['diff'] {
  const { http, request } = recorded;
  const before = http === undefined ? request && requestInForm(request, 'chat') : comparableFromExchange(http);
  const after = requestInForm(wire, http === undefined ? 'chat' : 'wire');
  const texts = before && after && requestTexts(comparedParts(before), comparedParts(after));
  return texts === undefined || texts.recorded === texts.sent ? [] : diffText(texts.recorded, texts.sent);
}

function comparedParts({ body, query }: ComparableRequest): unknown {
  return query === undefined ? body : { query, body };
}

function addressOf({ method, url, host = '' }: HiddenRequest): string {
  return `${method} ${host}${url.replace(/^https?:\/\/[^/]*/, '').replace(/\?.*$/s, '')}`;
}

function matchHeadline(kind: Taken['kind'], number: number): string {
  switch (kind) {
    case 'masked':
      return t('The request matches interaction {0} under the masks.', number);
    case 'equivalent':
      return t('The request is interaction {0} in meaning.', number);
    case 'unchecked':
      return t('Interaction {0} is next. The tape has no request to compare with it.', number);
    default:
      return t('The request is as recorded in interaction {0}.', number);
  }
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** The exchange with an edited response; a stream stays one. Throws a `UserError` if an edit is impossible. */
function editedExchange(
  exchange: HttpExchange,
  { edits = [], body }: Pick<HeldRelease, 'edits' | 'body'>,
): HttpExchange {
  const start = body === undefined ? exchange : withBody(exchange, body);
  return edits.filter(isOfResponse).reduce((edited, edit) => {
    const outcome = editExchange(edited, edit);
    if ('refused' in outcome)
      throw new UserError(
        () => refusalOf(edited, edit),
        () => t('Change another part, or continue without a change.'),
      );
    return outcome.exchange;
  }, start);
}

function withBody(exchange: HttpExchange, text: string): HttpExchange {
  const length = String(Buffer.byteLength(text));
  const responseHeaders = exchange.responseHeaders
    .filter(([name]) => !/^content-encoding$/i.test(name))
    .map(([name, value]) => (/^content-length$/i.test(name) ? ([name, length] as const) : ([name, value] as const)));
  return { ...exchange, responseHeaders, responseBody: { type: 'text', text } };
}

function isOfResponse(edit: TapeEdit): edit is TapeResponseEdit {
  switch (edit.type) {
    case 'response-text':
    case 'reasoning':
    case 'arguments':
    case 'usage':
    case 'status':
      return true;
    default:
      return false;
  }
}

function refusalOf(exchange: HttpExchange, edit: Parameters<typeof editExchange>[1]): string {
  const outcome = editExchange(exchange, edit);
  return 'refused' in outcome ? outcome.refused : '';
}
