import type * as vscode from 'vscode';

/** What commands on a failure in the Test Explorer are called with. */
export interface FailedTest {
  readonly test: vscode.TestItem;
  readonly message?: vscode.TestMessage;
}

/** Arguments come from anywhere. */
export function isFailedTest(value: unknown): value is FailedTest {
  return typeof value === 'object' && value !== null && 'test' in value && typeof value.test === 'object';
}
