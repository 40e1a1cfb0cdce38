import * as vscode from 'vscode';

/** A `when` clause key that is set only when its value changes. */
export class ContextKey<T extends string | number | boolean | readonly string[]> {
  #value: string | undefined;

  constructor(readonly name: `tapedeck.${string}`) {}

  set(value: T): void {
    const text = JSON.stringify(value);
    if (this.#value === text) return;
    this.#value = text;
    void vscode.commands.executeCommand('setContext', this.name, value);
  }
}
