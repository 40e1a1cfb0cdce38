import * as vscode from 'vscode';

/** Where a question stands in a series; after the first, it has a button that leads back. */
export interface StepPlace {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

export const BACK = Symbol('back');
export type Answer<T> = T | typeof BACK;

/** An item of `askChoice`; a heading has no value. */
export type Choice<T> = vscode.QuickPickItem & { readonly value?: T };

/** Asks for a text. Rejects with `CancellationError` when the user cancels. */
export function askText(
  place: StepPlace,
  {
    prompt,
    placeholder,
    value = '',
    validate,
  }: {
    readonly prompt: (value: string) => string;
    readonly placeholder: string;
    readonly value?: string;
    /** What is wrong with the text; undefined where it can be accepted. */
    readonly validate: (value: string) => string | undefined;
  },
): Promise<Answer<string>> {
  const input = placed(vscode.window.createInputBox(), place);
  Object.assign(input, { placeholder, value, prompt: prompt(value) });
  input.onDidChangeValue((text) => {
    input.prompt = prompt(text);
    input.validationMessage = undefined;
  });
  return settled(input, (accept) => {
    input.onDidAccept(() => {
      input.validationMessage = validate(input.value);
      if (input.validationMessage === undefined) accept(input.value.trim());
    });
  });
}

/** Asks to choose one of several. Rejects with `CancellationError` when the user cancels. */
export function askChoice<T>(place: StepPlace, placeholder: string, items: readonly Choice<T>[]): Promise<Answer<T>> {
  const picker = placed(vscode.window.createQuickPick<Choice<T>>(), place);
  Object.assign(picker, { placeholder, items, matchOnDescription: true });
  return settled(picker, (accept) => {
    picker.onDidAccept(() => {
      const value = picker.selectedItems[0]?.value;
      if (value !== undefined) accept(value);
    });
  });
}

type Input = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

function placed<I extends Input>(input: I, place: StepPlace): I {
  const { title, ...steps } = place;
  Object.assign(input, { title, ignoreFocusOut: true }, place.totalSteps > 1 && steps);
  input.buttons = place.step > 1 ? [vscode.QuickInputButtons.Back] : [];
  return input;
}

function settled<T>(input: Input, listen: (accept: (value: T) => void) => void): Promise<Answer<T>> {
  return new Promise<Answer<T>>((resolve, reject) => {
    listen(resolve);
    input.onDidTriggerButton(() => resolve(BACK));
    input.onDidHide(() => reject(new vscode.CancellationError()));
    input.show();
  }).finally(() => input.dispose());
}
