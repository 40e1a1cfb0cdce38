import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import { keyNames, type MenuCommand, TRANSCRIPT_COMMANDS } from '../commands';
import { useEditing } from './editing';
import { isMenuCommand, runOnInteraction } from './interactionCommands';

/** The button with three dots, and the menu that it opens. */
export function InteractionMenu({ interaction }: { readonly interaction: number }): VNode {
  const { session, menu, readOnly } = useEditing();
  const isOpen = menu === interaction;
  const place = useRef<HTMLSpanElement>(null);
  const close = (): void => {
    session.showMenu(undefined);
    place.current?.querySelector('button')?.focus();
  };
  return (
    <span ref={place} class="menu-place">
      <button
        type="button"
        class="button-quiet"
        aria-label={t('More Actions')}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={`${t('More Actions')} (.)`}
        onClick={() => session.showMenu(isOpen ? undefined : interaction)}
      >
        <Icon name="ellipsis" />
      </button>
      {isOpen && (
        <Menu
          items={menuItems(readOnly, interaction)}
          disabledReason={readOnly}
          onChoose={({ command }) => runOnInteraction(command, session, interaction)}
          onClose={close}
        />
      )}
    </span>
  );
}

interface MenuProps {
  readonly items: readonly MenuItem[];
  readonly disabledReason: string | undefined;
  onChoose(item: MenuItem): void;
  onClose(): void;
}

function Menu({ items, disabledReason, onChoose, onClose }: MenuProps): VNode {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    moveFocus(menu.current, 'first');
    menu.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  useClickOutside(menu, onClose);
  const choose = (item: MenuItem): void => {
    onClose();
    onChoose(item);
  };
  return (
    <div
      ref={menu}
      class="menu"
      role="menu"
      aria-label={t('Interaction actions')}
      onKeyDown={(event) => onMenuKey(event, menu.current, onClose)}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={item.separated ? 'separated' : ''}
          aria-disabled={item.disabled}
          title={item.disabled ? disabledReason : undefined}
          onClick={() => item.disabled || choose(item)}
        >
          {t(item.label)}
          {item.key !== undefined && <span aria-hidden="true">{item.key}</span>}
        </button>
      ))}
    </div>
  );
}

/** Calls `onOutside` when the pointer is pressed outside of the menu and its button. */
function useClickOutside(menu: RefObject<HTMLElement | null>, onOutside: () => void): void {
  useEffect(() => {
    const onPress = ({ target }: Event): void => {
      if (target instanceof Node && !menu.current?.parentElement?.contains(target)) onOutside();
    };
    addEventListener('pointerdown', onPress);
    return () => removeEventListener('pointerdown', onPress);
  }, []);
}

/** Where the keys of a menu move the focus. */
const FOCUS_MOVES: Readonly<Record<string, FocusMove>> = { ArrowDown: 1, ArrowUp: -1, Home: 'first', End: 'last' };

/** Handles a key in an open menu. The keys of the page have no effect here. */
function onMenuKey(event: KeyboardEvent, menu: HTMLElement | null, onClose: () => void): void {
  event.stopPropagation();
  const isClosing = event.key === 'Escape' || event.key === 'Tab';
  const move = FOCUS_MOVES[event.key];
  if (!isClosing && move === undefined) return;
  event.preventDefault();
  if (isClosing) onClose();
  else if (move !== undefined) moveFocus(menu, move);
}

type FocusMove = 1 | -1 | 'first' | 'last';

/** Moves the focus in a menu, around its ends. Disabled items take the focus too, so that a screen reader reads them. */
function moveFocus(menu: HTMLElement | null, move: FocusMove): void {
  const items = [...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  const current = Math.max(
    0,
    items.findIndex((item) => item.matches(':focus')),
  );
  const next = move === 'first' ? 0 : move === 'last' ? items.length - 1 : current + move;
  items.at(next % items.length)?.focus();
}

interface MenuItem {
  readonly command: MenuCommand;
  /** A message. */
  readonly label: string;
  /** Its keyboard shortcut. */
  readonly key: string | undefined;
  /** Whether it begins a new group. */
  readonly separated: boolean;
  readonly disabled: boolean;
}

/** The menu of an interaction; changes are disabled where the tape is read-only. */
function menuItems(readOnly: string | undefined, interaction: number): readonly MenuItem[] {
  const rows = TRANSCRIPT_COMMANDS.filter((row) => 'menu' in row);
  return rows.flatMap(({ id, label, menu }, index): MenuItem[] => {
    if (!isMenuCommand(id)) return [];
    const isChange = menu === 'change' || menu === 'redact';
    return [
      {
        command: id,
        label,
        key: keyNames(id)[0],
        separated: index > 0 && rows[index - 1]?.menu !== menu,
        disabled: (isChange && readOnly !== undefined) || (id === 'moveUp' && interaction === 0),
      },
    ];
  });
}
