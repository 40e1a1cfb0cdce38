import { asIndex, asRecord, asString } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { type BlankBodies, NEW_REQUEST_TEXT, type PieceSite, type StreamEvent, type TextSite } from '../protocol';
import { contentSites, isTextBlock, nestSites, pieceSites, recordSites, stringSite } from '../shared/textSites';

export function interactionTextSites(response: Json): TextSite[] {
  const list = asRecord(response).steps === undefined ? 'outputs' : 'steps';
  return nestSites([list], recordSites(asRecord(response)[list], stepSites));
}

function stepSites(step: JsonRecord): TextSite[] {
  const type = asString(step.type) ?? '';
  if (/^(?:function_call|function_result|thought|user_input)$/.test(type)) return [];
  if (type === 'model_output' || 'content' in step)
    return nestSites(['content'], contentSites(step.content, isTextBlock));
  return type === 'text' ? stringSite(step, 'text') : [];
}

export function interactionStreamTextSites({ json }: StreamEvent, frame: number): PieceSite[] {
  const { delta, interaction } = json;
  const started = ['step', 'content'].flatMap((key) => {
    const step = json[key];
    return isRecord(step) ? nestSites([key], stepSites(step)) : [];
  });
  const isText = asRecord(delta).type === 'text' || asRecord(delta).type === undefined;
  const whole = isRecord(interaction) ? nestSites(['interaction'], interactionTextSites(interaction)) : [];
  return [
    ...pieceSites('pieces', asIndex(json.index), [...started, ...(isText ? stringSite(json, 'delta', 'text') : [])]),
    ...pieceSites(`interaction ${frame}`, 0, whole),
  ];
}

export function blankInteractionBodies(model: JsonRecord): BlankBodies {
  return {
    request: { ...model, input: NEW_REQUEST_TEXT },
    response: {
      object: 'interaction',
      status: 'completed',
      ...model,
      steps: [{ type: 'model_output', content: [{ type: 'text', text: '' }] }],
      usage: { total_input_tokens: 0, total_output_tokens: 0, total_tokens: 0 },
    },
  };
}
