import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';
import { harFormat } from '../../../src/core/tapes/formats/har/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { buildEngine, inProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';

const SAID = '{"id":"1","said":"é"}';
const BYTES = Buffer.from([0x89, 0x50, 0xff, 0x00]);

function entry(content: object, postData: object = { text: '{}' }): object {
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 5,
    request: { method: 'POST', url: 'https://api.example.com/v1/things', headers: [], postData },
    response: { status: 200, headers: [], content, bodySize: -1 },
  };
}

const ARCHIVE = JSON.stringify(
  {
    log: {
      version: '1.2',
      creator: { name: 'Playwright' },
      entries: [
        entry({ size: 21, mimeType: 'application/json', _file: 'a1.json' }),
        entry({ size: 4, mimeType: 'image/png', _sha1: 'b2.png' }, { _file: 'c3.txt' }),
        entry({ size: 2, mimeType: 'text/plain', text: 'ok' }),
      ],
    },
  },
  null,
  2,
);
const FILES = { 'a1.json': Buffer.from(SAID), 'b2.png': BYTES, 'c3.txt': Buffer.from('asked') };

function bodies(text: string) {
  const { interactions, problems } = harFormat.read(tapeFileFromText(text, 'a.har'));
  return { said: interactions.map(({ http }) => [http?.requestBody, http?.responseBody]), problems };
}

const WHOLE = [
  [
    { type: 'text', text: '{}' },
    { type: 'text', text: SAID },
  ],
  [
    { type: 'text', text: 'asked' },
    { type: 'base64', base64: BYTES.toString('base64') },
  ],
  [
    { type: 'text', text: '{}' },
    { type: 'text', text: 'ok' },
  ],
];

describe('bodies that Playwright put into files of their own', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('are put into a new archive, from beside it and from a zip', async () => {
    await inProject({ 'tapedeck.toml': '', 'a.har': ARCHIVE }, async (project) => {
      for (const [name, content] of Object.entries(FILES)) writeFileSync(project.path(name), content);
      const zipped = Object.fromEntries(
        Object.entries(FILES).map(([name, content]) => [name, new Uint8Array(content)]),
      );
      writeFileSync(project.path('z.har.zip'), zipSync({ ...zipped, 'har.har': strToU8(ARCHIVE) }));
      for (const from of ['a.har', 'z.har.zip']) {
        const verified = await tapedeck(project, 'verify', from);
        assert.deepEqual([verified.code, /tapedeck convert/.test(verified.stdout)], [1, true], verified.stdout);
        const { code, stderr } = await tapedeck(project, 'convert', from, `${from}.whole.har`);
        assert.equal(code, 0, stderr);
        const text = await project.read(`${from}.whole.har`);
        assert.deepEqual(bodies(text), { said: WHOLE, problems: [] });
        assert.equal(
          text.replace(/"text": "(?:[^"\\]|\\.)*"(?:, "encoding": "base64")?/g, ''),
          ARCHIVE.replace(/"(?:text|_file|_sha1)": "[^"]*"/g, ''),
        );
      }
    });
  });

  it('are not taken from elsewhere, and are missed where they are not there', async () => {
    await inProject({ 'tapedeck.toml': '' }, async (project) => {
      for (const name of ['../a1.json', '/etc/passwd', '..', '.env', 'a/b.json', 'missing.json']) {
        const archive = ARCHIVE.replace('a1.json', name);
        writeFileSync(project.path('a.har'), archive);
        writeFileSync(project.path('.env'), 'KEY=1');
        const { code, stderr } = await tapedeck(project, 'convert', 'a.har', 'b.har', '--force');
        if (code !== 0) continue;
        assert.equal(await project.read('b.har'), archive, `${name}: ${stderr}`);
      }
      writeFileSync(project.path('a.har'), ARCHIVE);
      symlinkSync('/etc/passwd', project.path('a1.json'));
      assert.equal((await tapedeck(project, 'convert', 'a.har', 'b.har', '--force')).code, 2);
    });
  });
});
