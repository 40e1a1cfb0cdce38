import * as vscode from 'vscode';
import type { ComparedPair } from '../harness/comparedPairs';

/**
 * Runs inside the browser's extension host: puts some of the sample into the workspace, which is in memory, opens a tape, lists a
 * changed one as a provider of source control does, and reviews pairs of tapes. Then it never ends.
 */
export async function run(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const extension = vscode.extensions.getExtension('tapedeck.tapedeck');
  if (folder === undefined || extension === undefined) throw new Error('there is no workspace, or no extension');
  await vscode.workspace.fs.createDirectory(folder.uri);
  await copyFiles(extension.extensionUri, folder.uri);
  await extension.activate();
  await vscode.commands.executeCommand('tapedeck.refresh');
  const tape = vscode.Uri.joinPath(folder.uri, TAPE);
  await listChange(folder.uri);
  await vscode.commands.executeCommand('tapedeck.openTranscript', tape);
  await vscode.commands.executeCommand('tapedeck.cases.focus');
  await reviewPairs(extension.extensionUri, folder.uri);
  // The extension host ends with the tests; what comes now is looked at from outside.
  await new Promise(() => {});
}

const TAPE = 'tapes/order_status.tape.json';
const SAMPLE = ['cases/order_status.toml', 'cases/order_status.baseline.json', 'cases/greeting.toml', TAPE];

async function copyFiles(extension: vscode.Uri, folder: vscode.Uri): Promise<void> {
  for (const path of SAMPLE) {
    const bytes = await fetched(extension, `media/sample/${path}`);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, path), bytes);
  }
}

async function fetched(extension: vscode.Uri, path: string): Promise<Uint8Array> {
  const response = await fetch(vscode.Uri.joinPath(extension, path).toString(true));
  if (!response.ok) throw new Error(`${path} is not served: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Lists the tape as changed, in the source control view. Its earlier version is a document that is no file, with another answer. */
async function listChange(folder: vscode.Uri): Promise<void> {
  const after = vscode.Uri.joinPath(folder, TAPE);
  const before = after.with({ scheme: 'earlier' });
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(after));
  const earlier = text.replaceAll('shipped', 'packed');
  vscode.workspace.registerTextDocumentContentProvider('earlier', { provideTextDocumentContent: () => earlier });
  const control = vscode.scm.createSourceControl('earlier', 'Earlier', folder);
  control.inputBox.visible = false;
  control.createResourceGroup('changes', 'Changes').resourceStates = [
    { resourceUri: after, command: { title: 'Open', command: 'vscode.diff', arguments: [before, after] } },
  ];
}

/** Reviews the pairs that the test has left beside this script, and tells in the status bar how many reviews are those of the engine. */
async function reviewPairs(extension: vscode.Uri, folder: vscode.Uri): Promise<void> {
  const pairs: readonly ComparedPair[] = JSON.parse(
    new TextDecoder().decode(await fetched(extension, 'out/test/web/pairs.json')),
  );
  const wrong: string[] = [];
  for (const { files, review } of pairs) {
    const [before, after] = files.map(({ path }) => ({ uri: vscode.Uri.joinPath(folder, path).toString() }));
    for (const { path, base64 } of files)
      await vscode.workspace.fs.writeFile(
        vscode.Uri.joinPath(folder, path),
        Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)),
      );
    const query = JSON.stringify({ about: 'comparison', before, after });
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.from({ scheme: 'tapedeck-review', path: '/Review.txt', query }),
    );
    const found = withOneLineEnd(document.getText());
    if (found !== withOneLineEnd(review)) wrong.push(`${after?.uri}\n${found}\ninstead of\n${review}`);
  }
  for (const one of wrong) console.error(one);
  const told = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  told.text = `${pairs.length - wrong.length} of ${pairs.length} reviews are the engine's`;
  told.show();
}

/** A document has one kind of line end. */
function withOneLineEnd(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
