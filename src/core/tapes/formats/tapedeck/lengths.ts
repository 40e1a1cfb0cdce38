import type { JsonNode } from '../../../json/jsonNode';
import { member, readJson } from '../../../json/readJson';
import type { HttpBody } from '../../../model/http';
import { applySplices, type Splice } from '../../../text/splice';
import type { DependentEdits } from '../../format';
import type { TapeFile } from '../../tapeFile';
import { lengthOf } from '../shared/editExchange';
import { entryExchange, readTapedeck, type TapedeckEntry } from './read';

/** Corrects the `content-length` of bodies that changed, where it was right before. */
export function followLengths({ text }: TapeFile, changes: readonly Splice[]): DependentEdits {
  const after = readTapedeck(applySplices(text, changes)).entries;
  const splices = readTapedeck(text).entries.flatMap((entry, index) => {
    const other = after[index];
    return other === undefined ? [] : lengthSplices(text, entry, other);
  });
  return { splices, dependents: splices.length === 0 ? [] : ['content-length'] };
}

function lengthSplices(text: string, entry: TapedeckEntry, other: TapedeckEntry): readonly Splice[] {
  const [before, after] = [entryExchange(entry), entryExchange(other)];
  if (before === undefined || after === undefined) return [];
  const { source, response } = entry;
  const request = readJson(text.slice(source.start, source.end)).value;
  return [
    ...headerSplices(request, source.start, before.requestBody, after.requestBody),
    ...headerSplices(response?.fields, response?.source.start ?? 0, before.responseBody, after.responseBody),
  ];
}

/** `start` is where the line begins. */
function headerSplices(
  line: JsonNode | undefined,
  start: number,
  before: HttpBody,
  after: HttpBody,
): readonly Splice[] {
  const headers = member(line, 'headers');
  if (headers?.type !== 'array') return [];
  const [was, is] = [lengthOf(before), lengthOf(after)];
  return headers.items.flatMap((header): readonly Splice[] => {
    const [name, value] = header.type === 'array' ? header.items : [];
    const isLength = name?.type === 'string' && name.value.toLowerCase() === 'content-length';
    if (!isLength || value?.type !== 'string' || value.value !== was || was === is) return [];
    return [{ start: start + value.start, end: start + value.end, text: JSON.stringify(is) }];
  });
}
