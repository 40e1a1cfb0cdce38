import { createContext } from 'preact';
import { useContext, useEffect, useReducer } from 'preact/hooks';
import type { InteractionBody } from '../../src/core/transcript/transcript';
import type { BodyStore } from './bodyStore';

export const BodiesContext = createContext<BodyStore | undefined>(undefined);

/** An interaction in full, as soon as it is there. */
export function useBody(interaction: number): InteractionBody | undefined {
  const bodies = useContext(BodiesContext);
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => bodies?.watch(interaction, () => renderAgain(undefined)), [bodies, interaction]);
  return bodies?.get(interaction);
}
