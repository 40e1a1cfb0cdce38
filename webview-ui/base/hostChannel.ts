import type { Channel } from '../../src/protocol/rpc';
import { vscodeApi } from './vscodeApi';

/** The webview's end of the messages between it and the extension host. */
export const hostChannel: Channel = {
  send: (message) => vscodeApi.postMessage(message),
  onMessage: (listener) => {
    const onMessage = (event: MessageEvent<unknown>): void => listener(event.data);
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  },
};
