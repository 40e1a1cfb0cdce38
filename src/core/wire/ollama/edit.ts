import type { Json, JsonRecord } from '../../json/json';
import type { BlankBodies, PieceSite, StreamEvent, TextSite } from '../protocol';
import { BLANK_USER_MESSAGE } from '../shared/messages';
import { pieceSites, stringSite } from '../shared/textSites';

/** `/api/chat` has a message, `/api/generate` a bare `response`. */
export function ollamaTextSites(response: Json): TextSite[] {
  const inMessage = stringSite(response, 'message', 'content');
  return inMessage.length > 0 ? inMessage : stringSite(response, 'response');
}

export function ollamaStreamTextSites({ json }: StreamEvent): PieceSite[] {
  return pieceSites('pieces', 0, ollamaTextSites(json));
}

export function blankOllamaBodies(model: JsonRecord): BlankBodies {
  return {
    // Without this, Ollama streams.
    request: { ...model, messages: [BLANK_USER_MESSAGE], stream: false },
    response: {
      ...model,
      message: { role: 'assistant', content: '' },
      done_reason: 'stop',
      done: true,
      prompt_eval_count: 0,
      eval_count: 0,
    },
  };
}
