import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';

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
    /** What is wrong with the text; undefined if it can be accepted. */
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

/** An item of `askChoices`. */
export type CheckedChoice = vscode.QuickPickItem & { readonly isTyped?: true };

/**
 * Lets the user check several items, or type names. The typed text is an item of its own; it also counts if it is a list with
 * commas, or if nothing is checked. Rejects with `CancellationError` when the user cancels.
 */
export function askChoices(
  place: StepPlace,
  placeholder: string,
  items: readonly CheckedChoice[],
): Promise<Answer<readonly string[]>> {
  const picker = placed(vscode.window.createQuickPick<CheckedChoice>(), place);
  Object.assign(picker, { placeholder, canSelectMany: true, matchOnDescription: true });
  const show = (checked: readonly CheckedChoice[]): void => {
    const typed = typedNames(picker.value);
    const shown = typed.map(
      (label) => items.find((item) => item.label === label && item.kind === undefined) ?? { label, ...asTyped() },
    );
    const kept = checked.filter(({ isTyped, label }) => isTyped && !typed.includes(label));
    const others = items.filter(({ label }) => !typed.includes(label));
    picker.items = [...shown.map((item) => ({ ...item, alwaysShow: true })), ...kept, ...others];
    picker.selectedItems = picker.items.filter(({ label }) => checked.some((one) => one.label === label));
  };
  show(items.filter(({ picked }) => picked));
  picker.onDidChangeValue(() => show(picker.selectedItems));
  return settled(picker, (accept) => {
    picker.onDidAccept(() => {
      const checked = picker.selectedItems.map(({ label }) => label);
      const isTaken = checked.length === 0 || picker.value.includes(',');
      const chosen = [...new Set([...checked, ...(isTaken ? typedNames(picker.value) : [])])];
      if (chosen.length > 0) accept(chosen);
    });
  });
}

const asTyped = () => ({ description: t('as typed'), alwaysShow: true, isTyped: true }) as const;

function typedNames(text: string): readonly string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
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
