import { asString } from '../../json/fields';
import type { JsonRecord } from '../../json/json';
import type { TextSite } from '../protocol';
import { contentSites, isTextBlock, nestSites, stringSite } from '../shared/textSites';

export function stepSites(step: JsonRecord): TextSite[] {
  const type = asString(step.type) ?? '';
  if (/^(?:function_call|function_result|thought|user_input)$/.test(type)) return [];
  if (type === 'model_output' || 'content' in step)
    return nestSites(['content'], contentSites(step.content, isTextBlock));
  return type === 'text' ? stringSite(step, 'text') : [];
}
