import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest as Palette, paletteTitles } from '../../build/editorTables';

interface Manifest extends Palette {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: Palette['contributes'] & {
    readonly menus: Readonly<
      Record<string, readonly { readonly command: string; readonly when: string; readonly group: string }[]>
    >;
  };
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

describe('the Command Palette', () => {
  const words = JSON.parse(readFileSync(join(__dirname, '../../package.nls.json'), 'utf8'));
  /** Those that need a test, a transcript, a review, or something selected are offered beside it, where they may lead. */
  const always = {
    ...manifest.contributes,
    menus: {
      commandPalette: manifest.contributes.menus.commandPalette.map(({ command, when }) => ({
        command,
        when: /tapedeck\.|editorLangId|active(?:WebviewPanel|CustomEditor)Id/.test(when) ? 'false' : when,
      })),
    },
  };

  for (const [word, first] of [
    ['Replay', 'Tapedeck: Replay'],
    ['Record', 'Tapedeck: Re-record…'],
    ['Review', 'Tapedeck: Review'],
  ] as const)
    it(`has "${first}" on top for "Tapedeck: ${word}"`, () => {
      const titles = paletteTitles({ contributes: always }, words);
      const found = titles.filter((title) =>
        title.split(/[^\p{L}]/u).some((part) => part.startsWith(word.toLowerCase()) || part.startsWith(word)),
      );
      assert.equal(found.sort((left, right) => left.localeCompare(right))[0], first);
    });

  it('has permissions apart from what is done every day, in menus too', () => {
    const permissions = paletteTitles(manifest, words).filter((title) => title.startsWith('Tapedeck Permissions: '));
    assert.equal(permissions.length, 2);
    const ofCases = (manifest.contributes.menus['view/item/context'] ?? []).filter(({ when }) => /\^case/.test(when));
    const listed = ofCases.filter(({ group }) => !group.startsWith('inline'));
    const last = listed.sort((left, right) => (left.group < right.group ? -1 : 1)).slice(-2);
    assert.deepEqual(
      last.map(({ command }) => command),
      ['tapedeck.allowAgentCase', 'tapedeck.withdrawAgentCases'],
    );
  });
});
