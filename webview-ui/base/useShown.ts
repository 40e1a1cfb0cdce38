import { useEffect, useState } from 'preact/hooks';
import type { Shown } from '../../src/contracts/contract';

/** The state of a page, as far as the host has shown it, now and after every change. */
export function useShown<S>(shown: Shown<S>): Partial<S> {
  const [state, setState] = useState(shown.current);
  useEffect(() => {
    setState(shown.current);
    return shown.subscribe(setState);
  }, [shown]);
  return state;
}
