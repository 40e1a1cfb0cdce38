import type { VNode } from 'preact';
import { usePlaying } from './playing';

/** On the interaction that is being replayed: it moves along, and takes neither focus nor scroll with it. */
export function PlayingMark({ interaction }: { readonly interaction: number }): VNode | null {
  const playing = usePlaying();
  if (playing?.mode !== 'replay' || playing.interaction !== interaction) return null;
  return <span class="playing-mark">Now playing</span>;
}
