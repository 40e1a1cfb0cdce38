import { isRecord, type Json } from '../json/json';

/** The words of a message as it stands on the wire, of any protocol: its texts, without what is no text. */
export function blockText(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(blockText).filter(Boolean).join('\n');
  if (!isRecord(value)) return '';
  const said = value.content ?? value.parts ?? value.text ?? value.output ?? value.message;
  return said === undefined ? '' : blockText(said);
}
