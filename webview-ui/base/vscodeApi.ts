interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** VS Code hands this out once a page; its state survives hiding and reloading the webview. */
export const vscodeApi: VsCodeApi = acquireVsCodeApi();
