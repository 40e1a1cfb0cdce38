import type { JsonRecord } from '../../json/json';
import type { TextSite } from '../protocol';
import { contentSites, isTextPart, nestSites } from '../shared/textSites';

export function outputItemSites(item: JsonRecord): TextSite[] {
  const isMessage = item.type === undefined || item.type === 'message';
  return isMessage ? nestSites(['content'], contentSites(item.content, isTextPart)) : [];
}
