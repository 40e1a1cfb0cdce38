import * as vscode from 'vscode';
import { parseDocument } from '../../core/schema/parseDocument';
import { count, list, optional, shape, text } from '../../core/schema/schema';
import type { CommandId } from '../base/commands';
import { fileExists } from '../base/files';

/** What the engine tells of a test that has ended. */
const TOLD = shape({ tape: text(), failures: list(shape({ nearest: optional(count()) })) });

/** Runs a test with the variables by which the engine tells what it did, and opens the tape of one that failed at its drift. */
export async function followTest<T>(
  storage: vscode.Uri,
  run: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const file = vscode.Uri.joinPath(storage, `test-${crypto.randomUUID()}.jsonl`);
  await vscode.workspace.fs.createDirectory(storage);
  await vscode.workspace.fs.writeFile(file, new Uint8Array());
  try {
    const result = await run({ TAPEDECK_RESULTS: file.fsPath });
    await openDrift(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
    return result;
  } finally {
    await vscode.workspace.fs.delete(file);
  }
}

async function openDrift(told: string): Promise<void> {
  const tests = told.split('\n').flatMap((line) => parseDocument(TOLD, line) ?? []);
  // With parameters, the first that failed.
  const failed = tests.find(({ failures }) => failures.length > 0);
  if (failed === undefined) return;
  const tape = vscode.Uri.file(failed.tape);
  if (!(await fileExists(tape))) return;
  const { nearest = 1 } = failed.failures[0] ?? {};
  const open: CommandId = 'tapedeck.openTranscript';
  await vscode.commands.executeCommand(open, tape, nearest - 1);
}
