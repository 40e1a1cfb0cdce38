import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../base/icon';
import { keyNames, type MenuCommand, TRANSCRIPT_COMMANDS } from '../commands';
import { type Editing, useEditing } from './editing';
import { isMenuCommand, runOnInteraction } from './interactionCommands';

/** The button with three dots, and what it opens. */
export function InteractionMenu({ interaction }: { readonly interaction: number }): VNode {
  const editing = useEditing();
  const isOpen = editing.menu === interaction;
  const place = useRef<HTMLSpanElement>(null);
  const close = (): void => {
    editing.showMenu(undefined);
    place.current?.querySelector('button')?.focus();
  };
  return (
    <span ref={place} class="menu-place">
      <button
        type="button"
        class="button-quiet"
        aria-label="More actions"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title="More actions (.)"
        onClick={() => editing.showMenu(isOpen ? undefined : interaction)}
      >
        <Icon name="ellipsis" />
      </button>
      {isOpen && (
        <Menu
          items={menuItems(editing, interaction)}
          note={editing.readOnly}
          onChoose={({ command }) => runOnInteraction(command, editing, interaction)}
          onClose={close}
        />
      )}
    </span>
  );
}

interface MenuProps {
  readonly items: readonly MenuItem[];
  /** Why some of it cannot be done. */
  readonly note: string | undefined;
  onChoose(item: MenuItem): void;
  onClose(): void;
}

function Menu({ items, note, onChoose, onClose }: MenuProps): VNode {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    moveFocus(menu.current, 0);
    menu.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  useEffect(() => {
    const onPress = ({ target }: Event): void => {
      if (target instanceof Node && !menu.current?.parentElement?.contains(target)) onClose();
    };
    addEventListener('pointerdown', onPress);
    return () => removeEventListener('pointerdown', onPress);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key === 'Escape' || key === 'Tab') onClose();
    else if (key === 'ArrowDown') moveFocus(menu.current, 1);
    else if (key === 'ArrowUp') moveFocus(menu.current, -1);
    else if (key === 'Home') moveFocus(menu.current, 'first');
    else if (key === 'End') moveFocus(menu.current, 'last');
    else {
      // The keys of the page mean nothing in here.
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const choose = (item: MenuItem): void => {
    onClose();
    onChoose(item);
  };
  return (
    <div ref={menu} class="menu" role="menu" aria-label="Actions of the interaction" onKeyDown={onKeyDown}>
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={item.separated ? 'separated' : ''}
          aria-disabled={item.disabled}
          title={item.disabled ? note : undefined}
          onClick={() => item.disabled || choose(item)}
        >
          {item.label}
          {item.key !== undefined && <span aria-hidden="true">{item.key}</span>}
        </button>
      ))}
    </div>
  );
}

/** Moves the focus in a menu, around its ends. Items that can do nothing are told, not skipped. */
function moveFocus(menu: HTMLElement | null, by: number | 'first' | 'last'): void {
  const items = [...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  const at = items.findIndex((item) => item.matches(':focus'));
  const next = by === 'first' ? 0 : by === 'last' ? items.length - 1 : Math.max(0, at) + by;
  items.at(next % items.length)?.focus({ preventScroll: true });
}

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
  const rows = TRANSCRIPT_COMMANDS.filter((row) => 'menu' in row);
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
