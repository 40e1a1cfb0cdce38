import { asRecord, asRecords, asString, isBlank } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import type { PieceSite, StreamEvent } from '../protocol';
import { nestSites, pieceSites, recordSites, stringSite } from '../shared/textSites';

export function runStreamTextSites({ event, json }: StreamEvent): PieceSite[] {
  const value = (part: JsonRecord) => stringSite(part, 'text', 'value');
  if (event === 'thread.message.delta') {
    return pieceSites(
      'pieces',
      asString(json.id) ?? '',
      nestSites(['delta', 'content'], recordSites(asRecord(json.delta).content, value)),
    );
  }
  return json.object === 'thread.message'
    ? pieceSites(event ?? 'message', asString(json.id) ?? '', nestSites(['content'], recordSites(json.content, value)))
    : [];
}

/**
 * Joins the events of a run. Each event carries its whole object; deltas matter only for a message whose end was not
 * recorded.
 */
export function joinRunEvents(events: readonly StreamEvent[]): JsonRecord {
  let run: JsonRecord = {};
  const messages = new Map<Json, JsonRecord>();
  const steps = new Map<Json, JsonRecord>();
  const texts = new Map<Json, string>();
  for (const { event = '', json } of events) {
    const id = json.id ?? '';
    if (json.object === 'thread.run') run = { ...run, ...json };
    else if (json.object === 'thread.run.step') steps.set(id, json);
    else if (json.object === 'thread.message') messages.set(id, json);
    else if (event === 'thread.message.delta') texts.set(id, (texts.get(id) ?? '') + deltaText(json));
  }
  for (const [id, value] of texts) {
    if (isBlank(messages.get(id)?.content)) messages.set(id, { content: [{ type: 'text', text: { value } }] });
  }
  return { ...run, messages: [...messages.values()], steps: [...steps.values()] };
}

function deltaText({ delta }: JsonRecord): string {
  return asRecords(asRecord(delta).content)
    .map(({ text }) => asString(asRecord(text).value) ?? '')
    .join('');
}
