import { asIndex, asRecord } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { valueAt } from '../../json/jsonPath';
import { type BlankBodies, NEW_REQUEST_TEXT, type PieceSite, type StreamEvent, type TextSite } from '../protocol';
import { nestSites, pieceSites, recordSites, stringSite } from '../shared/textSites';

export function converseTextSites(response: Json): TextSite[] {
  const path = ['output', 'message', 'content'];
  return nestSites(path, recordSites(valueAt(response, path), blockSites));
}

function blockSites(block: JsonRecord): TextSite[] {
  if (typeof block.text === 'string') return stringSite(block, 'text');
  const path = ['citationsContent', 'content'];
  return nestSites(
    path,
    recordSites(valueAt(block, path), (part) => stringSite(part, 'text')),
  );
}

/** An event is named by its frame or, in formats that store the payload alone, by its one member. */
export function converseStreamTextSites({ json }: StreamEvent): PieceSite[] {
  const path = isRecord(json.contentBlockDelta) ? ['contentBlockDelta'] : [];
  const payload = asRecord(valueAt(json, path));
  const sites = nestSites(path, stringSite(payload, 'delta', 'text'));
  return pieceSites('pieces', asIndex(payload.contentBlockIndex), sites);
}

/** The URL names the model; the bodies do not. */
export function blankConverseBodies(): BlankBodies {
  return {
    request: { messages: [{ role: 'user', content: [{ text: NEW_REQUEST_TEXT }] }] },
    response: {
      output: { message: { role: 'assistant', content: [{ text: '' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    },
  };
}

/** Also of other protocols, which Bedrock serves under `invoke`. */
export function unstreamedBedrockUrl(url: string): string {
  return url.replace(/\/converse-stream\b/, '/converse').replace('/invoke-with-response-stream', '/invoke');
}
