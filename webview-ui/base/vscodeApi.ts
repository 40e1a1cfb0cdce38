import type { Channel } from '../../src/contracts/rpc/rpc';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** VS Code provides this once per page; its state survives hiding and reloading the webview. */
export const vscodeApi: VsCodeApi = acquireVsCodeApi();

/** The webview's end of the channel to the extension host. */
export const hostChannel: Channel = {
  send: (message) => vscodeApi.postMessage(message),
  onMessage: (listener) => {
    const onMessage = (event: MessageEvent<unknown>): void => listener(event.data);
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  },
};

/** The state that survives hiding and reloading a page, in named parts, each of which has one owner. */
export const pageState = {
  get(name: string): unknown {
    return stateOf()[name];
  },
  set(name: string, value: unknown): void {
    pageState.replace([name], { [name]: value });
  },
  /** Stores the parts of one owner, whose `names` are all that it has: a part without a value is forgotten. */
  replace(names: readonly string[], parts: Readonly<Record<string, unknown>>): void {
    const others = Object.entries(stateOf()).filter(([name]) => !names.includes(name));
    vscodeApi.setState({ ...Object.fromEntries(others), ...parts });
  },
};

function stateOf(): Readonly<Record<string, unknown>> {
  const state = vscodeApi.getState();
  return typeof state === 'object' && state !== null ? { ...state } : {};
}
