import { COMMANDS, keyNames, type MenuCommand } from '../commands';
import type { Editing } from './editing';
import { isMenuCommand } from './interactionCommands';

export interface MenuItem {
  readonly command: MenuCommand;
  readonly label: string;
  /** The key that does the same. */
  readonly key: string | undefined;
  /** Begins a new group. */
  readonly separated: boolean;
  readonly disabled: boolean;
}

/** What can be done to an interaction. */
export function menuItems({ readOnly }: Editing, interaction: number): readonly MenuItem[] {
  const rows = COMMANDS.filter((row) => 'menu' in row);
  return rows.flatMap(({ id, does, menu }, index): MenuItem[] => {
    if (!isMenuCommand(id)) return [];
    const isChange = menu === 'change' || menu === 'redact';
    return [
      {
        command: id,
        label: does,
        key: keyNames(id)[0],
        separated: index > 0 && rows[index - 1]?.menu !== menu,
        disabled: (isChange && readOnly !== undefined) || (id === 'moveUp' && interaction === 0),
      },
    ];
  });
}
