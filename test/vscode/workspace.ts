import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';

/** The workspace is a copy of the sample project that ships with the extension. */
export function file(path: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, 'the tests need a workspace');
  return vscode.Uri.joinPath(folder.uri, path);
}

export async function readText(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

export async function readJson(uri: vscode.Uri): Promise<Record<string, unknown>> {
  return JSON.parse(await readText(uri)) as Record<string, unknown>;
}

export async function write(path: string, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(file(path), new TextEncoder().encode(text));
}

export async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** What the command line prints, run in the workspace by the engine of the extension under test. */
export function printed(...args: readonly string[]): string {
  const extension = vscode.extensions.getExtension('tapedeck.tapedeck');
  assert.ok(extension);
  const engine = vscode.Uri.joinPath(extension.extensionUri, 'dist/engine.js').fsPath;
  const options = {
    cwd: file('.').fsPath,
    encoding: 'utf8',
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  } as const;
  return spawnSync(process.execPath, [engine, ...args], options).stdout;
}

/** The text of the active editor, once it is a document of the scheme. */
export function activeText(scheme: string): Promise<string> {
  return eventually(`a text of ${scheme}`, () => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.uri.scheme === scheme && document.getText() !== '' ? document.getText() : undefined;
  });
}

/** Waits until `check` gives something, and returns it. */
export async function eventually<T>(what: string, check: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`never happened: ${what}`);
}

/** The text of a tape on which the model `m` answers a prompt with "On its way.". */
export function answeredTape(prompt: string): string {
  const lines = [
    { tapedeck: 'tape', version: 1, name: 'agent' },
    {
      request: 1,
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      json: { model: 'm', messages: [{ role: 'user', content: prompt }] },
    },
    {
      response: 1,
      status: 200,
      headers: [['content-type', 'application/json']],
      json: { choices: [{ index: 0, message: { role: 'assistant', content: 'On its way.' }, finish_reason: 'stop' }] },
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The process ids of engines that this extension host has started. */
export function engineProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isEngine(pid));
}

function isEngine(pid: number): boolean {
  try {
    const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engine.js');
  } catch {
    return false;
  }
}
