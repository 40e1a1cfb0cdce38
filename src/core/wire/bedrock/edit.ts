import { asIndex, asRecord } from '../../json/fields';
import { isRecord, type JsonRecord } from '../../json/json';
import { valueAt } from '../../json/jsonPath';
import type { PieceSite, StreamEvent, TextSite } from '../protocol';
import { nestSites, pieceSites, recordSites, stringSite } from '../shared/textSites';

export function converseBlockSites(block: JsonRecord): TextSite[] {
  const cited = valueAt(block, ['citationsContent', 'content']);
  return typeof block.text === 'string'
    ? stringSite(block, 'text')
    : nestSites(
        ['citationsContent', 'content'],
        recordSites(cited, (part) => stringSite(part, 'text')),
      );
}

/** An event is named by its frame or, stored apart, by its one member. */
export function converseStreamSites({ json }: StreamEvent): PieceSite[] {
  const path = isRecord(json.contentBlockDelta) ? ['contentBlockDelta'] : [];
  const payload = asRecord(valueAt(json, path));
  return pieceSites(
    'pieces',
    asIndex(payload.contentBlockIndex),
    nestSites(path, stringSite(payload, 'delta', 'text')),
  );
}
