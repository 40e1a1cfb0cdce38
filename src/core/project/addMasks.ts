import { readCase } from '../cases/toml/readCase';
import { formatMask } from '../match/masks';
import type { Mask } from '../model/case';
import type { Splice } from '../text/splice';
import { setTomlKey, tomlString } from '../toml/editToml';
import { readConfig } from './readConfig';

/** The edit that adds masks to a case; undefined if the case has errors, or has them all. */
export function addMasks(text: string, masks: readonly string[]): Splice | undefined {
  const { value } = readCase(text);
  return value && withMasks(text, ['llm', 'replay'], value.llm.replay?.masks ?? [], masks);
}

/** The same for `tapedeck.toml`, whose masks hold for all cases of the project. */
export function addProjectMasks(text: string, masks: readonly string[]): Splice | undefined {
  const { value } = readConfig(text);
  return value && withMasks(text, ['replay'], value.replay.masks, masks);
}

function withMasks(
  text: string,
  table: readonly string[],
  declared: readonly Mask[],
  masks: readonly string[],
): Splice | undefined {
  const known = declared.map(formatMask);
  const wanted = [...new Set([...known, ...masks])];
  if (wanted.length === known.length) return undefined;
  return setTomlKey(text, table, 'mask', `[${wanted.map(tomlString).join(', ')}]`);
}
