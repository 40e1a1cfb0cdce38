import type { Webview } from 'vscode';
import type { Channel } from '../../protocol/rpc';

/** The host's end of a webview's messages. Close the peer when the panel is disposed: a dead webview throws on `send`. */
export function webviewChannel(webview: Webview): Channel {
  return {
    send: (message) => void webview.postMessage(message),
    onMessage: (listener) => {
      const subscription = webview.onDidReceiveMessage(listener);
      return () => subscription.dispose();
    },
  };
}
