import { maskText } from '../../match/masks';
import type { Splice } from '../../text/splice';
import { setTomlKey, tomlString } from '../../toml/editToml';
import { readCase } from '../readCase';

/** What declares more masks in the text of a case; undefined where it is not in order, or has them all. */
export function addMasks(text: string, masks: readonly string[]): Splice | undefined {
  const { value } = readCase(text);
  if (value === undefined) return undefined;
  const declared = (value.llm.replay?.masks ?? []).map(maskText);
  const wanted = [...new Set([...declared, ...masks])];
  if (wanted.length === declared.length) return undefined;
  return setTomlKey(text, ['llm', 'replay'], 'mask', `[${wanted.map(tomlString).join(', ')}]`);
}
