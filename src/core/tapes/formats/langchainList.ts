import { member } from '../../json/jsonDocument';
import { readYaml } from '../../yaml/yamlDocument';
import { indentedLike } from '../edits/emptyBlock';
import { emptyInteraction } from '../edits/emptyInteraction';
import type { InteractionList } from '../edits/interactionList';
import { listSplices } from '../edits/listSplices';
import { yamlBlocks } from '../edits/yamlBlocks';
import type { Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { EditOutcome, ListEdit } from '../tapeFormat';
import { writeLangchain } from './vcrpyWrite';

/** Requests and responses are two lists: what is done with an item of one is done with that of the other. */
export function editLangchainList({ text }: TapeFile, { interactions }: Tape, edit: ListEdit): EditOutcome {
  const own = interactions[edit.interaction];
  const empty = own && emptyInteraction(own);
  const added = empty === undefined ? '' : writeLangchain('', [empty]);
  const news = listsIn(added).map(({ blocks: [block] }) => block && added.slice(block.start, block.end));
  const lists = listsIn(text);
  const splices = lists.map((list, at) => {
    const block = list.blocks[edit.interaction];
    const like = block === undefined ? '' : text.slice(block.start, block.end);
    return listSplices(text, list, edit.interaction, edit, indentedLike(like, news[at] ?? ''));
  });
  if (lists.length !== 2 || splices.includes(undefined))
    return { refused: 'There is no request with a response in this place of the two lists.' };
  return { splices: splices.flatMap((some) => some ?? []), dependents: [] };
}

function listsIn(text: string): readonly InteractionList[] {
  const [root] = readYaml(text).value ?? [];
  return ['requests', 'responses'].flatMap((name) => {
    const list = member(root, name);
    return (list?.type === 'array' ? yamlBlocks(text, list) : undefined) ?? [];
  });
}
