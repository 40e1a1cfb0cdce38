import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMAND_IDS } from '../../src/host/base/commands';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly customEditors: readonly { readonly viewType: string }[];
  };
}

describe('the manifest', () => {
  const extension = vscode.extensions.getExtension('tapedeck.tapedeck');

  it('contributes exactly the commands that the code registers', async () => {
    await extension?.activate();
    const manifest = extension?.packageJSON as Manifest;
    const declared = manifest.contributes.commands.map(({ command }) => command).sort();
    assert.deepEqual(declared, [...COMMAND_IDS].sort());
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      COMMAND_IDS.filter((command) => !registered.has(command)),
      [],
    );
  });
});
