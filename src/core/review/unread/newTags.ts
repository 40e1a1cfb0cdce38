import type { TapeFile } from '../../tapes/tapeFile';
import { yamlTags } from '../../yaml/readYaml';
import { type FileValue, textValue } from './fileValues';

/**
 * The YAML tags of kinds that only the later file has. Readers of other languages make objects of them, or run code; ours takes the
 * value without the tag.
 */
export function newTags(before: TapeFile, after: TapeFile): readonly FileValue[] {
  if (!MAY_HAVE_TAGS.test(after.text)) return [];
  const known = new Set(yamlTags(before.text).map(({ tag }) => tag));
  const others = yamlTags(after.text).filter(({ tag }) => !known.has(tag) && !IS_READ.test(tag));
  return others.map((tag) => textValue(after.text, tag));
}

const MAY_HAVE_TAGS = /(?:^|[\s[{,])![\w!<]/;
const IS_READ = /binary$/;
