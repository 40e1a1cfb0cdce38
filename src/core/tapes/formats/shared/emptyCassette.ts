import type { JsonNode } from '../../../json/jsonNode';
import { looksLikeJson } from '../../../json/jsonOutline';
import { member, readJson } from '../../../json/readJson';
import { type TextParts, wholeText } from '../../../text/textParts';
import { readYaml } from '../../../yaml/readYaml';

const MAX_LENGTH = 1024;
const KEYS = ['interactions', 'version'];

/** The recorder of a cassette without interactions: vcrpy and go-vcr write the same two keys. */
export function emptyCassetteOf(file: TextParts): 'vcrpy' | 'go-vcr' | undefined {
  if (file.length > MAX_LENGTH) return undefined;
  const text = wholeText(file);
  if (!text.includes('interactions')) return undefined;
  const root: JsonNode | undefined = looksLikeJson(text) ? readJson(text).value : readYaml(text).value?.[0];
  const interactions = member(root, 'interactions');
  if (root?.type !== 'object' || root.members.some(({ key }) => !KEYS.includes(key))) return undefined;
  if (interactions?.type !== 'array' || interactions.items.length > 0) return undefined;
  const version = member(root, 'version');
  const number = version?.type === 'number' ? version.lexeme : undefined;
  if (version !== undefined && number !== '1' && number !== '2') return undefined;
  // go-vcr begins its files with the marker of a document.
  return number === '2' || (number === '1' && /^\s*---/.test(text)) ? 'go-vcr' : 'vcrpy';
}
