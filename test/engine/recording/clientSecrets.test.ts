import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLastingRecorders, createRecorders, projectRecorder } from '../../../src/engine/recording/openRecorder';
import { inFolder } from '../../harness/support';

const KEY = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v';
const config = (env: object): string => JSON.stringify({ mcpServers: { s: { command: 'srv', env } } });

describe("what a project's MCP servers are given", () => {
  for (const name of ['.mcp.json', '.vscode/mcp.json', '.cursor/mcp.json'])
    it(`is hidden in recordings, and found by verify: ${name}`, () =>
      inFolder(async (root) => {
        await mkdir(join(root, name, '..'), { recursive: true });
        await writeFile(join(root, name), config({ SERVICE_API_KEY: KEY, PORT: '8080' }));
        const sources = { environments: [{}], keys: {}, patterns: [] };
        const recorders = [
          await createRecorders({})(root),
          await createLastingRecorders({})(root),
          await projectRecorder(root, sources).get(),
        ];
        for (const recorder of recorders) {
          assert.equal(recorder.text(`env ${KEY}, port 8080`), 'env [redacted], port 8080');
          assert.equal(recorder.search.find(`env ${KEY}`).length, 1);
        }
      }));

  it('is what it is at the time of a call', () =>
    inFolder(async (root) => {
      const recorders = createLastingRecorders({});
      assert.equal((await recorders(root)).text(KEY), KEY);
      await writeFile(join(root, '.mcp.json'), config({ SEAL: KEY }));
      assert.equal((await recorders(root)).text(KEY), '[redacted]');
    }));

  it('is nothing where the file is none', () =>
    inFolder(async (root) => {
      await mkdir(join(root, '.mcp.json'));
      await mkdir(join(root, '.vscode'));
      await writeFile(join(root, '.vscode/mcp.json'), '{ "servers": [');
      await mkdir(join(root, '.cursor'));
      await symlink(join(root, 'nowhere.json'), join(root, '.cursor/mcp.json'));
      assert.equal((await createRecorders({})(root)).text(KEY), KEY);
    }));
});
