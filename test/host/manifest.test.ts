import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, object>> } };
}

const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as Manifest;

/**
 * What a value from a stranger's workspace could do with each setting. `acts`: it leads to a program, an address, or a file
 * outside of the workspace, so that VS Code ignores it in Restricted Mode. A new setting is to be classified here.
 */
const SETTINGS: Readonly<Record<string, 'acts' | 'shows'>> = {
  'tapedeck.pytest': 'acts',
  // Globs below each folder of the workspace, where the editor's own search lists files as well.
  'tapedeck.tapes': 'shows',
  'tapedeck.codeLens.enabled': 'shows',
  'tapedeck.inlayHints.enabled': 'shows',
  'tapedeck.gutter.enabled': 'shows',
};

describe('the settings of an untrusted workspace', () => {
  it('are each classified', () => {
    assert.deepEqual(Object.keys(manifest.contributes.configuration.properties).sort(), Object.keys(SETTINGS).sort());
  });

  it('are ignored where they lead to a program, an address, or a file outside of it', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const acting = Object.entries(SETTINGS).flatMap(([name, kind]) => (kind === 'acts' ? [name] : []));
    assert.equal(supported, 'limited');
    assert.deepEqual([...restrictedConfigurations].sort(), acting);
  });
});
