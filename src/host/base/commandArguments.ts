import type * as vscode from 'vscode';

/** The argument of commands on a failure in the Test Explorer. */
export interface FailedTest {
  readonly test: vscode.TestItem;
  readonly message?: vscode.TestMessage;
}

/** Checks an argument, which any extension or link may have passed. */
export function isFailedTest(value: unknown): value is FailedTest {
  return typeof value === 'object' && value !== null && 'test' in value && typeof value.test === 'object';
}
