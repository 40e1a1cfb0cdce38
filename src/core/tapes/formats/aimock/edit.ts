import type { JsonNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { member, readJson } from '../../../json/readJson';
import { t } from '../../../text/l10n';
import type { Splice } from '../../../text/splice';
import { rewritePieces } from '../../../text/splicesBetween';
import type { EditOutcome, TapeTextEdit } from '../../format';
import type { TapeFile } from '../../tapeFile';
import { jsonStrings } from '../shared/storedBody';

/** Changes the text of a fixture: its content, its text blocks, or its transcript. Tool calls stay unchanged. */
export function editAimock(file: TapeFile, edit: TapeTextEdit): EditOutcome {
  const { value: root } = readJson(file.text);
  const fixtures = member(root, 'fixtures');
  const fixture = fixtures?.type === 'array' ? fixtures.items[edit.interaction] : undefined;
  if (fixture === undefined) return { refused: t('The file has no fixture {0}.', edit.interaction + 1) };
  const response = member(fixture, 'response');
  if (member(response, 'error') !== undefined)
    return { refused: t('This fixture responds with an error. Change it in the text editor.') };
  if (member(response, 'json') !== undefined)
    return { refused: t('This fixture responds with JSON in the form of a provider. Change it in the text editor.') };
  const blocks = textBlocks(member(response, 'blocks'));
  const nodes = blocks.length > 0 ? blocks : plainText(response);
  if (nodes === undefined) return { refused: t('The response of this fixture has no text to change.') };
  return { splices: replaceTexts(nodes, edit.text, file), dependents: [] };
}

type StringNode = JsonNode & { readonly type: 'string' };

function textBlocks(blocks: JsonNode | undefined): StringNode[] {
  if (blocks?.type !== 'array') return [];
  return blocks.items.flatMap((block) => {
    const type = member(block, 'type');
    const text = member(block, 'text');
    return type?.type === 'string' && type.value === 'text' && text?.type === 'string' ? [text] : [];
  });
}

/** Content that is an object is sent as its JSON, which is not edited as text. */
function plainText(response: JsonNode | undefined): readonly StringNode[] | undefined {
  const hasBlocks = member(response, 'blocks') !== undefined;
  const node = nodeAt(response, ['transcription', 'text']) ?? (hasBlocks ? undefined : member(response, 'content'));
  return node?.type === 'string' ? [node] : undefined;
}

function replaceTexts(nodes: readonly StringNode[], text: string, file: TapeFile): Splice[] {
  const values = rewritePieces(
    nodes.map(({ value }) => value),
    text,
  );
  const write = jsonStrings(file);
  return nodes.flatMap((node, index) => write(node, values[index] ?? ''));
}
