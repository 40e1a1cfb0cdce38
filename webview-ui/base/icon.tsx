import type { VNode } from 'preact';
import { iconPaths } from './iconPaths';

export type IconName = keyof typeof iconPaths;

/** One codicon in the colour of the text. It says nothing to a screen reader: its button or its row does. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path fill-rule="evenodd" d={iconPaths[name]} />
    </svg>
  );
}
