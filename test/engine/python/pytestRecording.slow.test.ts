import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readTape } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { readTestFile } from '../../../src/core/tapeTests/registry';
import { usesTape } from '../../../src/core/tapeTests/tapeTest';
import { inProject, type TestProject } from '../../harness/builtEngine';
import { lensPytest } from '../../harness/lensPytest';
import { pythonWith } from '../../harness/peers';

const FILE = 'tests/unit/test_web.py';

const source = (port: number) => `
import urllib.request
import pytest
import vcr

def ask(path):
    with urllib.request.urlopen("http://127.0.0.1:${port}" + path) as answer:
        return answer.read().decode()

@pytest.mark.vcr
def test_plain():
    assert ask("/plain") == "from the server"

@pytest.mark.vcr
class TestClass:
    @pytest.mark.default_cassette("named.yaml")
    def test_named(self):
        assert ask("/named") == "from the server"

    def test_method(self):
        assert ask("/method") == "from the server"

@pytest.mark.vcr
@pytest.mark.parametrize("n", [1, 2])
def test_family(n):
    assert ask(f"/family/{n}") == "from the server"

@vcr.use_cassette("tapes/used.yaml")
def test_used():
    assert ask("/used") == "from the server"
`;

describe('the commands of the lenses, with the real pytest-recording and vcrpy', function () {
  this.timeout(400_000);
  let python = '';
  let server: Server;
  let asked: (string | undefined)[] = [];

  before(async function () {
    const peer = await pythonWith('pytest-recording');
    if ('missing' in peer) {
      console.error(`NOT TESTED: the lenses with the real pytest-recording; it cannot be installed: ${peer.missing}`);
      this.skip();
    }
    python = peer.python;
  });
  beforeEach(async () => {
    asked = [];
    server = createServer(({ url }, response) => {
      asked.push(url);
      response.end('from the server');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => server.close());

  const pytest = (project: TestProject, text: string, name: string, mode: 'replay' | 'record'): Promise<number> =>
    lensPytest(project, { python, file: FILE, source: text }, name, mode);

  it('record where we say that the tapes are, record again, and replay without the network', async () => {
    const text = source((server.address() as AddressInfo).port);
    await inProject({ [FILE]: text }, async (project) => {
      const folder = 'tests/unit/cassettes/test_web';
      const tapes: Readonly<Record<string, readonly string[]>> = {
        test_plain: [`${folder}/test_plain.yaml`],
        test_named: [`${folder}/named.yaml`],
        test_method: [`${folder}/TestClass.test_method.yaml`],
        test_family: [`${folder}/test_family[1].yaml`, `${folder}/test_family[2].yaml`],
        test_used: ['tapes/used.yaml'],
      };
      for (const [name, paths] of Object.entries(tapes)) {
        assert.equal(await pytest(project, text, name, 'record'), 0, name);
        const uses = readTestFile(FILE, text).tests.find((test) => test.name.split('::').at(-1) === name)?.uses ?? [];
        for (const path of paths) {
          assert.ok(project.has(path), path);
          assert.ok(
            uses.some((use) => usesTape(use, path)),
            path,
          );
          assert.equal(readTape(tapeFileFromText(await project.read(path)))?.format, 'vcrpy');
        }
      }
      const before = asked.length;
      for (const name of Object.keys(tapes)) assert.equal(await pytest(project, text, name, 'replay'), 0, name);
      assert.equal(asked.length, before, 'a replay calls nobody');
      // The switch records anew even where there is a tape.
      assert.equal(await pytest(project, text, 'test_plain', 'record'), 0);
      assert.equal(asked.length, before + 1);
    });
  });
});
