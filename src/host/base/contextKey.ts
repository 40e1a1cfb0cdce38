import * as vscode from 'vscode';

/** A `when` clause key that is set only when its value changes. */
export class ContextKey<T extends string | number | boolean> {
  #value: T | undefined;

  constructor(readonly name: `tapedeck.${string}`) {}

  set(value: T): void {
    if (this.#value === value) return;
    this.#value = value;
    void vscode.commands.executeCommand('setContext', this.name, value);
  }
}
