import { asRecord, asRecords, asString, isBlank } from '../../../json/fields';
import type { Json, JsonRecord } from '../../../json/json';
import { camelOrSnake } from '../../../wire/gemini/parts';
import { readGeminiUsage } from '../../../wire/gemini/read';
import { any } from '../../marks';
import { type ConversationDescription, type Said, timeOfSeconds } from '../shared/conversationFormat';

/** Sessions of Google's Agent Development Kit, and its sets of conversations that an evaluation expects. */
export const adkSession: ConversationDescription = {
  id: 'adk-session',
  label: 'ADK session',
  files: ['json'],
  lists: ['events', 'conversation'],
  several: ['eval_cases', 'evalCases'],
  marks: any(
    ['events[].author', 'events[].content.parts', any('events[].invocation_id', 'events[].invocationId')],
    'conversation[].user_content',
    'conversation[].userContent',
  ),
  about: (session) => ({ name: asString(session.id) ?? asString(camelOrSnake(session, 'evalId')) }),
  says: (record) => ('author' in record ? eventSays(record) : invocationSays(record)),
};

function eventSays(event: JsonRecord): Said | undefined {
  const said: Said = {
    model: asString(camelOrSnake(event, 'modelVersion')),
    error: asString(camelOrSnake(event, 'errorMessage')) ?? asString(camelOrSnake(event, 'errorCode')),
    usage: readGeminiUsage(camelOrSnake(event, 'usageMetadata')),
  };
  // What changes the state alone says nothing; and the whole follows its pieces.
  if (event.content === undefined && event.actions === undefined) return said.error === undefined ? undefined : said;
  if (event.partial === true || isBlank(asRecord(event.content).parts)) return said;
  return { ...said, messages: [event.content ?? null], at: timeOfSeconds(event.timestamp) };
}

/** A turn of a set: what the user said, the tools that are to be called, and the last answer. */
function invocationSays(invocation: JsonRecord): Said | undefined {
  const asked = camelOrSnake(invocation, 'userContent');
  if (asked === undefined) return undefined;
  const between = asRecord(camelOrSnake(invocation, 'intermediateData'));
  const parts = (name: string, of: string): readonly JsonRecord[] =>
    asRecords(camelOrSnake(between, name)).map((one) => ({ [of]: one }));
  const contents: readonly (readonly [role: string, parts: readonly Json[]])[] = [
    ['model', parts('toolUses', 'functionCall')],
    ['user', parts('toolResponses', 'functionResponse')],
    ['model', asRecords(asRecord(camelOrSnake(invocation, 'finalResponse')).parts)],
  ];
  const said = contents.filter(([, list]) => list.length > 0).map(([role, list]) => ({ role, parts: list }));
  return { messages: [asked, ...said] };
}
