import * as assert from 'node:assert/strict';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { WorkspaceStores } from '../../src/host/stores/workspaceStores';
import { eventually, file } from './workspace';

const CASE = 'name = "moved"\nprompt = "hi"\n[llm]\ntape = "../tapes/moved.tape.json"\n';
const TAPE = JSON.stringify({ version: 1, case_name: 'x', interactions: [{ response: 'It is shipped.' }] });
const TEST = 'import pytest\n\n@pytest.mark.vcr\ndef test_moved():\n    pass\n';

/** A shell or git moves folders; VS Code tells of the folders alone. */
describe('a folder of cases, tapes and tests', () => {
  const stores = new WorkspaceStores(async () => []);
  const path = (name: string) => file(`folders/${name}`).fsPath;
  const tested = () => stores.tapeTests.testsOf(file('folders/new/cassettes/test_moved/test_moved.yaml'));

  function fill(name: string): void {
    mkdirSync(path(`${name}/cases`), { recursive: true });
    mkdirSync(path(`${name}/tapes`));
    writeFileSync(path(`${name}/cases/moved.toml`), CASE);
    writeFileSync(path(`${name}/tapes/moved.tape.json`), TAPE);
    writeFileSync(path(`${name}/test_moved.py`), TEST);
  }

  /** What is known below `folders/`. */
  function known(): readonly string[] {
    const uris = [...stores.cases.all().map(({ uri }) => uri), ...stores.tapes.all().map(({ uri }) => uri)];
    const paths = uris.map((uri) => vscode.workspace.asRelativePath(uri, false));
    return paths.filter((one) => one.startsWith('folders/')).sort();
  }

  const both = (name: string) => [`folders/${name}/cases/moved.toml`, `folders/${name}/tapes/moved.tape.json`];

  async function becomes(expected: readonly string[]): Promise<void> {
    await eventually(`${expected.join(', ') || 'nothing'} (now: ${known().join(', ')})`, () =>
      known().join() === expected.join() ? true : undefined,
    );
  }

  before(async () => {
    mkdirSync(path(''));
    await Promise.all([stores.cases.load(), stores.tapes.load(), stores.tapeTests.load()]);
  });
  after(() => {
    stores.dispose();
    rmSync(path(''), { recursive: true });
  });

  it('is known when it comes with all that is in it', async () => {
    fill('old');
    await becomes(both('old'));
  });

  it('is known by its new name, and not by its old one', async () => {
    renameSync(path('old'), path('new'));
    await becomes(both('new'));
    await eventually('its test', async () => ((await tested()).length > 0 ? true : undefined));
  });

  it('may have a name like that of a file', async () => {
    renameSync(path('new'), path('v1.2'));
    await becomes(both('v1.2'));
    assert.deepEqual(await tested(), []);
    renameSync(path('v1.2'), path('new'));
    await becomes(both('new'));
  });

  it('is forgotten when it goes, and known when it is back at once', async () => {
    cpSync(path('new'), path('copy'), { recursive: true });
    await becomes([...both('copy'), ...both('new')]);
    rmSync(path('copy'), { recursive: true });
    await becomes(both('new'));
    rmSync(path('new'), { recursive: true });
    fill('new');
    rmSync(path('new/tapes'), { recursive: true });
    await becomes(both('new').slice(0, 1));
  });

  it('is not looked into where nothing is searched', async () => {
    mkdirSync(path('node_modules'));
    fill('node_modules/package');
    fill('last');
    await becomes([...both('last'), ...both('new').slice(0, 1)]);
  });
});
