import { jsonEqual } from '../json/json';
import type { ChatResponse, Interaction } from '../tapes/tape';
import { compareHttp, compareParams, compareTiming, compareTools, compareUsage } from './compareExchange';
import { compareMessages } from './compareMessages';
import { compareSpoken } from './compareSpoken';
import { type Found, found } from './found';
import { spokenAnswer } from './messageShape';
import type { Normaliser } from './normaliser';

/** What differs between two recordings of one interaction, field by field; empty when nothing does. */
export function compareInteraction(before: Interaction, after: Interaction, normaliser: Normaliser): readonly Found[] {
  const candidates = [
    found('interaction', ['kind'], before.kind, after.kind),
    ...compareModel(before, after),
    ...compareRequest(before, after, normaliser),
    ...compareResponse(before.response, after.response, normaliser),
    ...compareHttp(before, after),
    compareTiming(before.timing, after.timing, normaliser.rules),
    found('id', ['id'], before.id, after.id, { rules: ['record id'] }),
  ];
  return candidates.filter((change) => change.kind === 'moved' || !jsonEqual(change.before, change.after));
}

/** The model that was asked for and the one that says it answered are one thing. */
function compareModel(before: Interaction, after: Interaction): readonly Found[] {
  const [old, now] = [modelText(before), modelText(after)];
  const path = before.request?.model === after.request?.model ? ['response', 'model'] : ['request', 'model'];
  return [found('model', path, old, now)];
}

function modelText({ request, response }: Interaction): string | undefined {
  const [asked, answered] = [request?.model, response?.model];
  if (asked === undefined || answered === undefined) return asked ?? answered;
  return asked === answered ? asked : `${asked}, answered by ${answered}`;
}

function compareRequest(
  { request: old }: Interaction,
  { request: now }: Interaction,
  normaliser: Normaliser,
): readonly Found[] {
  return [
    ...compareMessages(old?.messages ?? [], now?.messages ?? [], ['request', 'messages'], normaliser),
    ...compareTools(old?.tools ?? [], now?.tools ?? []),
    ...compareParams(old?.params ?? {}, now?.params ?? {}),
  ];
}

const NO_ANSWER: ChatResponse = { content: null, toolCalls: [] };

function compareResponse(
  before: ChatResponse = NO_ANSWER,
  after: ChatResponse = NO_ANSWER,
  normaliser: Normaliser,
): readonly Found[] {
  return [
    ...compareSpoken(spokenAnswer(before), spokenAnswer(after), ['response'], normaliser),
    found('error', ['response', 'error'], before.error, after.error),
    found('finish', ['response', 'finishReason'], before.finishReason, after.finishReason),
    compareUsage(before.usage, after.usage, normaliser.rules),
  ];
}
