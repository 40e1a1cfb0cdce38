import type { ComponentChildren, VNode } from 'preact';
import { Icon, type IconName } from '../base/icon';
import { keyOf, type ReviewAction, type ReviewActions } from './session/reviewKeys';

interface ActionButtonProps {
  readonly action: ReviewAction;
  readonly actions: ReviewActions;
  /** The tooltip, before its key; without children, also the accessible name. */
  readonly title: string;
  readonly kind?: 'button' | 'button-secondary' | 'button-quiet' | 'link';
  readonly icon?: IconName;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly expanded?: boolean;
  readonly children?: ComponentChildren;
}

/** A button that carries out an action of the review, with its key in the tooltip and for screen readers. */
export function ActionButton(props: ActionButtonProps): VNode {
  const { action, actions, title, kind = 'button-quiet', icon, disabled, pressed, expanded, children } = props;
  const { shortcut, label } = keyOf(action);
  return (
    <button
      type="button"
      class={kind}
      aria-label={children === undefined ? title : undefined}
      aria-keyshortcuts={shortcut}
      aria-pressed={pressed}
      aria-expanded={expanded}
      title={`${title} (${label})`}
      disabled={disabled}
      onClick={() => actions[action]()}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}
