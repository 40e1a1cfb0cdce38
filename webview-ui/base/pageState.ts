import { vscodeApi } from './vscodeApi';

/** What outlives hiding and reloading a page, by name: each part is kept by whoever knows it. */
export const pageState = {
  get(name: string): unknown {
    return stateOf()[name];
  },
  set(name: string, value: unknown): void {
    pageState.merge({ [name]: value });
  },
  merge(parts: Readonly<Record<string, unknown>>): void {
    vscodeApi.setState({ ...stateOf(), ...parts });
  },
};

function stateOf(): Readonly<Record<string, unknown>> {
  const state = vscodeApi.getState();
  return typeof state === 'object' && state !== null ? { ...state } : {};
}
