import { count, either, named, type Schema, shape, text, where } from '../core/schema/schema';
import type { TapeEdit } from '../core/tapes/format';
import type { UsageEdit } from '../core/wire/edit/responseEdit';

const INTERACTION = { interaction: count() };

const USAGE_COUNTS: readonly string[] = [
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] satisfies (keyof UsageEdit)[];

const type = <const T extends TapeEdit['type']>(name: T) => ({ type: text('', { enum: [name] }) });

const EDITS: { readonly [T in TapeEdit['type']]: Schema<Extract<TapeEdit, { readonly type: T }>> } = {
  'response-text': shape({ ...type('response-text'), ...INTERACTION, text: text() }),
  reasoning: shape({ ...type('reasoning'), ...INTERACTION, part: count(), text: text() }),
  arguments: shape({ ...type('arguments'), ...INTERACTION, call: count(), json: text() }),
  usage: shape({
    ...type('usage'),
    ...INTERACTION,
    usage: where(named('', count()), (usage) => Object.keys(usage).every((name) => USAGE_COUNTS.includes(name))),
  }),
  status: shape({ ...type('status'), ...INTERACTION, status: where(count('', 100), (status) => status <= 999) }),
  delete: shape({ ...type('delete'), ...INTERACTION }),
  duplicate: shape({ ...type('duplicate'), ...INTERACTION }),
  add: shape({ ...type('add'), ...INTERACTION }),
  move: shape({
    ...type('move'),
    ...INTERACTION,
    by: where(count('', -1), (by): by is -1 | 1 => by === -1 || by === 1),
  }),
  redact: shape({ ...type('redact'), value: text() }),
};

/** One change of a tape, as a page asks for it. */
export const tapeEdit: Schema<TapeEdit> = either(...Object.values(EDITS)) as Schema<TapeEdit>;
