import type { TapeEdit } from '../format';

/** Where interactions are after an edit of their list; what was deleted is left out. */
export function movedIndexes(indexes: readonly number[], edit: TapeEdit): readonly number[] {
  switch (edit.type) {
    case 'delete':
      return indexes.flatMap((index) =>
        index === edit.interaction ? [] : [index > edit.interaction ? index - 1 : index],
      );
    case 'add':
    case 'duplicate':
      return indexes.map((index) => (index > edit.interaction ? index + 1 : index));
    case 'move': {
      const { interaction, by } = edit;
      return indexes.map((index) =>
        index === interaction ? index + by : index === interaction + by ? index - by : index,
      );
    }
    default:
      return indexes;
  }
}
