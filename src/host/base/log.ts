import * as vscode from 'vscode';

/** The output channel "Tapedeck". It is created with the first line, not at activation. */
export class Log implements vscode.Disposable {
  #channel: vscode.LogOutputChannel | undefined;

  get #output(): vscode.LogOutputChannel {
    this.#channel ??= vscode.window.createOutputChannel('Tapedeck', { log: true });
    return this.#channel;
  }

  info(message: string): void {
    this.#output.info(message);
  }

  warn(message: string): void {
    this.#output.warn(message);
  }

  error(error: Error | string): void {
    this.#output.error(error);
  }

  show(): void {
    this.#output.show();
  }

  dispose(): void {
    this.#channel?.dispose();
  }
}
