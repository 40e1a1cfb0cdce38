import { omitKeys } from '../../../../json/fields';
import { isRecord, type Json } from '../../../../json/json';
import { textOf } from './messages';

/** The messages in what a tracing SDK calls an input. One of another shape is a text: JSON. */
export function inputMessages(input: Json | undefined): Json | undefined {
  if (!isRecord(input) || input.messages !== undefined || input.role !== undefined) return input;
  const { prompt, contents, input: items } = input;
  return prompt ?? contents ?? items ?? textOf(omitKeys(input, 'tools'));
}

/** What Langfuse's SDKs write for a limit that was not given. */
export function isUnlimited(value: Json): boolean {
  return typeof value === 'string' && /^inf(?:inity)?$/i.test(value);
}
