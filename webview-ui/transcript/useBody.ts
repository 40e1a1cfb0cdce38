import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { InteractionBody } from '../../src/core/transcript/transcript';
import type { BodyStore } from './bodyStore';

export const BodiesContext = createContext<BodyStore | undefined>(undefined);

/** An interaction in full, as soon as it is there and there is time to render it. */
export function useBody(interaction: number): InteractionBody | undefined {
  const bodies = useContext(BodiesContext);
  const [body, setBody] = useState<InteractionBody>();
  useEffect(() => bodies?.watch(interaction, setBody), [bodies, interaction]);
  return body;
}
