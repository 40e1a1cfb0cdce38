import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readTape } from '../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../src/core/tapes/tapeFile';
import { readTestFile, testRun } from '../../src/core/tapeTests/registry';
import { usesTape } from '../../src/core/tapeTests/tapeTest';
import type { TestMode, TestProgram } from '../../src/core/tapeTests/testRun';
import type { JavascriptPeer } from '../harness/javascriptPeer';
import { javascriptWith } from '../harness/peers';

const run = promisify(execFile);
const ENTRIES: Readonly<Partial<Record<TestProgram, string>>> = {
  vitest: 'node_modules/vitest/vitest.mjs',
  jest: 'node_modules/jest/bin/jest.js',
};
const ASK = `const ask = () => new Promise((done, fail) => {
  const request = http.request(process.env.UPSTREAM + '/v1/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
    let text = '';
    response.on('data', (part) => { text += part; });
    response.on('end', () => (response.statusCode === 200 ? done(text) : fail(new Error('status ' + response.statusCode))));
  });
  request.on('error', fail);
  request.end(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Where is it?' }] }));
});`;

/** A file of two tests, of which one is run, and the tape that its library writes. */
interface Library {
  readonly file: string;
  readonly source: string;
  readonly test: string;
  readonly tape: string;
  readonly format: string;
}

const LIBRARIES: Readonly<Record<string, Library>> = {
  'Polly with Vitest': {
    file: 'test/polly.test.mjs',
    test: 'orders (all) > asks',
    tape: 'test/recordings/where-is-it_3622208045/recording.har',
    format: 'polly-har',
    source: `import http from 'node:http';
import { Polly } from '@pollyjs/core';
import NodeHttpAdapter from '@pollyjs/adapter-node-http';
import FSPersister from '@pollyjs/persister-fs';
import { describe, it } from 'vitest';
Polly.register(NodeHttpAdapter);
Polly.register(FSPersister);
${ASK}
describe('orders (all)', () => {
  it('asks', async () => {
    const polly = new Polly('where is it', {
      adapters: ['node-http'], persister: 'fs', mode: process.env.POLLY_MODE || 'replay', matchRequestsBy: { url: { port: false } },
      persisterOptions: { fs: { recordingsDir: import.meta.dirname + '/recordings' } },
    });
    await ask();
    await polly.stop();
  });
  it('asks others', () => { throw new Error('another test ran'); });
});`,
  },
  'nock.back with Jest': {
    file: 'test/nock.test.js',
    test: 'asks',
    tape: 'test/fixtures/order.json',
    format: 'nock',
    source: `const http = require('node:http');
const path = require('node:path');
const nockBack = require('nock').back;
nockBack.fixtures = path.join(__dirname, 'fixtures');
${ASK}
test('asks', async () => {
  const { nockDone } = await nockBack('order.json');
  await ask();
  nockDone();
});
test('asks others', () => { throw new Error('another test ran'); });`,
  },
  'nock.back with node:test': {
    file: 'test/node.test.mjs',
    test: 'orders > asks',
    tape: 'test/fixtures/node.json',
    format: 'nock',
    source: `import http from 'node:http';
import { describe, it } from 'node:test';
import nock from 'nock';
nock.back.fixtures = import.meta.dirname + '/fixtures';
${ASK}
describe('orders', () => {
  it('asks', async () => {
    const { nockDone } = await nock.back('node.json');
    await ask();
    nockDone();
  });
  it('asks others', () => { throw new Error('another test ran'); });
});`,
  },
};

const GO_SOURCE = `package lens

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/tmc/langchaingo/internal/httprr"
	"gopkg.in/dnaeon/go-vcr.v4/pkg/recorder"
)

func ask(t *testing.T, client *http.Client) {
	t.Helper()
	response, err := client.Get(os.Getenv("UPSTREAM") + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.ReadAll(response.Body); err != nil || response.StatusCode != 200 {
		t.Fatal(response.Status, err)
	}
}

func TestCassette(t *testing.T) {
	r, err := recorder.New(filepath.Join("testdata", t.Name()))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Stop()
	ask(t, r.GetDefaultClient())
}

func TestTrace(t *testing.T) {
	t.Run("with a name", func(t *testing.T) {
		rr := httprr.OpenForTest(t, http.DefaultTransport)
		ask(t, rr.Client())
	})
}

func TestCassetteOfAnother(t *testing.T) { t.Fatal("another test ran") }
`;

/** Answers each request with one more take, until it is closed to them. */
class Upstream {
  asked = 0;
  isClosed = false;
  readonly #server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      this.asked += 1;
      const message = { role: 'assistant', content: `take ${this.asked}` };
      response.writeHead(this.isClosed ? 500 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ id: 'c', object: 'chat.completion', model: 'm', choices: [{ index: 0, message }] }),
      );
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('the commands of the lenses, with the real runners and recorders of JavaScript and Go', function () {
  this.timeout(600_000);
  const upstream = new Upstream();
  let address = '';
  let root = '';

  before(async () => {
    address = await upstream.start();
    root = await mkdtemp(join(tmpdir(), 'tapedeck-runners-'));
  });
  after(async () => {
    upstream.stop();
    await rm(root, { recursive: true, force: true });
  });

  /** Runs what the lens runs, and gives its exit code. */
  const lens = async ({ file, source, test: name }: Library, mode: TestMode, manifest = ''): Promise<number> => {
    const found = readTestFile(file, source).tests.find((test) => test.name === name);
    assert.ok(found, name);
    const { program, args, env, folder } = testRun(found, mode, { folder: '', requirements: manifest });
    const entry = ENTRIES[program];
    const [command, ...before] =
      program === 'go' ? [goProgram() ?? 'go'] : ['node', ...(entry === undefined ? [] : [entry])];
    const options = { cwd: join(root, folder), env: { ...process.env, ...env, UPSTREAM: address } };
    return run(command ?? '', [...before, ...args], options).then(
      () => 0,
      (error: { code: number; stdout?: string; stderr?: string }) => {
        if (mode === 'record') console.error(error.stdout, error.stderr);
        return error.code;
      },
    );
  };

  /** Records, replays without the upstream, and records again where the tape was moved away. */
  const tell = async (library: Library, manifest = ''): Promise<void> => {
    const path = join(root, library.tape);
    const uses = readTestFile(library.file, library.source).tests.find(({ name }) => name === library.test)?.uses ?? [];
    assert.ok(
      uses.some((use) => usesTape(use, library.tape)),
      'we know the tape before it is there',
    );
    const before = upstream.asked;
    assert.equal(await lens(library, 'record', manifest), 0, 'it records');
    assert.equal(upstream.asked, before + 1, 'one test asks once');
    assert.ok(existsSync(path), `${library.tape} is recorded`);
    const tapeAt = () => readTape(tapeFileFromText(readFileSync(path, 'utf8'), library.tape));
    assert.equal(tapeAt()?.format, library.format);
    assert.equal(tapeAt()?.interactions.length, 1);
    upstream.isClosed = true;
    assert.equal(await lens(library, 'replay', manifest), 0, 'it replays');
    assert.equal(upstream.asked, before + 1, 'a replay calls nobody');
    upstream.isClosed = false;
    const recorded = readFileSync(path, 'utf8');
    renameSync(path, `${path}.aside`);
    assert.equal(await lens(library, 'record', manifest), 0, 'it records again');
    assert.equal(upstream.asked, before + 2);
    assert.notEqual(readFileSync(path, 'utf8'), recorded, 'it is another take');
  };

  describe('from npm', () => {
    before(async function () {
      let peer: JavascriptPeer;
      try {
        peer = await javascriptWith('testRunners');
      } catch (error) {
        console.error(`NOT TESTED: the lenses of Vitest and Jest; their packages cannot be installed: ${error}`);
        this.skip();
      }
      writeFileSync(join(root, 'package.json'), '{"private": true, "devDependencies": {"jest": "30"}}');
      symlinkSync(peer.file(''), join(root, 'node_modules'));
      for (const { file, source } of Object.values(LIBRARIES)) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), source);
      }
    });

    for (const [name, library] of Object.entries(LIBRARIES))
      it(`${name}: one test is recorded and replayed`, () => tell(library, '{"devDependencies": {"jest": "30"}}'));
  });

  describe('of Go', () => {
    before(async function () {
      const go = goProgram();
      if (go === undefined) {
        console.error('NOT TESTED: the lenses of Go; there is no `go` on this machine');
        this.skip();
      }
      mkdirSync(join(root, 'lens'));
      // The path of the module lets it use the httprr that langchaingo keeps to itself.
      writeFileSync(
        join(root, 'lens/go.mod'),
        'module github.com/tmc/langchaingo/lens\n\ngo 1.24\n\nrequire (\n\tgithub.com/tmc/langchaingo v0.1.14\n\tgopkg.in/dnaeon/go-vcr.v4 v4.0.7\n)\n',
      );
      writeFileSync(join(root, 'lens/chat_test.go'), GO_SOURCE);
      try {
        await run(go, ['mod', 'tidy'], { cwd: join(root, 'lens') });
      } catch (error) {
        console.error(`NOT TESTED: the lenses of Go; their modules cannot be installed: ${error}`);
        this.skip();
      }
    });

    const go = (test: string, tape: string, format: string): Library => ({
      file: 'lens/chat_test.go',
      source: GO_SOURCE,
      test,
      tape: `lens/testdata/${tape}`,
      format,
    });
    it('go-vcr: one test is recorded and replayed', () => tell(go('TestCassette', 'TestCassette.yaml', 'go-vcr')));
    it('httprr: one subtest is recorded and replayed', () =>
      tell(go('TestTrace/with_a_name', 'TestTrace-with_a_name.httprr', 'httprr')));
  });
});

function goProgram(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/local/go/bin'];
  return folders.map((folder) => join(folder, 'go')).find((path) => existsSync(path));
}
