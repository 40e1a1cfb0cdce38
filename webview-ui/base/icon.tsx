import type { VNode } from 'preact';
import { iconPaths } from './iconPaths';

export type IconName = keyof typeof iconPaths;

/** A codicon in the colour of the text. It is hidden from screen readers: the button or row has the label. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path fill-rule="evenodd" d={iconPaths[name]} />
    </svg>
  );
}
