import { stringifyStringLike } from '../../../json/editJson';
import type { JsonNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { member, readJson } from '../../../json/readJson';
import { t } from '../../../text/l10n';
import type { Splice } from '../../../text/splice';
import { rewritePieces } from '../../../text/splicesBetween';
import type { EditOutcome, TapeTextEdit } from '../../format';
import type { TapeFile } from '../../tapeFile';

/** Replaces the text of a completion, or of as few chunks of a stream as possible, and its `full_content`. */
export function editScenario({ text }: TapeFile, { interaction, text: newText }: TapeTextEdit): EditOutcome {
  const { value: root } = readJson(text);
  const completions = member(root, 'completions');
  const records = completions?.type === 'array' ? completions.items.filter(({ type }) => type === 'object') : [];
  const completion = records[interaction];
  if (completion !== undefined) {
    const content = stringSplice(text, member(completion, 'content'), newText);
    return content === undefined
      ? { refused: t('This completion has no content that is a text.') }
      : { splices: [content], dependents: [] };
  }
  const stream = nodeAt(root, ['streams', interaction - records.length]);
  return stream?.type === 'array'
    ? editStream(
        text,
        stream.items.filter(({ type }) => type === 'object'),
        newText,
      )
    : { refused: t('There is no such interaction.') };
}

function editStream(source: string, chunks: readonly JsonNode[], newText: string): EditOutcome {
  const contents = chunks.map((chunk) => member(chunk, 'content')).filter((node) => node?.type === 'string');
  const pieces = contents.map(({ value }) => value);
  const full = member(chunks.at(-1), 'full_content');
  const joined = pieces.join('');
  if (full?.type === 'string' && full.value !== '' && full.value !== joined)
    return { refused: t('The chunks and `full_content` differ. Make them equal in the text editor first.') };
  if (contents.length === 0) return { refused: t('This stream has no content that is a text.') };
  const changed = rewritePieces(pieces, newText);
  const splices = contents.flatMap((node, index) =>
    changed[index] === pieces[index] ? [] : (stringSplice(source, node, changed[index] ?? '') ?? []),
  );
  const repeats = full?.type === 'string' && full.value !== '' && newText !== joined;
  const whole = repeats ? stringSplice(source, full, newText) : undefined;
  return whole === undefined
    ? { splices, dependents: [] }
    : { splices: [...splices, whole], dependents: ['full_content'] };
}

function stringSplice(source: string, node: JsonNode | undefined, value: string): Splice | undefined {
  if (node?.type !== 'string') return undefined;
  const { start, end } = node;
  return { start, end, text: stringifyStringLike(value, source.slice(start, end)) };
}
