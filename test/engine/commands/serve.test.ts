import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { buildEngine, type Ended, ended, inProject, startEngine, type TestProject } from '../../harness/builtEngine';
import { completion, sendJson, serve } from '../../harness/support';

/** Records one answer with `serve`, lets `meanwhile` happen, and stops it. */
async function recorded(
  tape: string,
  project: TestProject,
  meanwhile: (base: string) => Promise<void>,
  options: readonly string[] = [],
): Promise<Ended> {
  const vector = { object: 'embedding', index: 0, embedding: [0.25, -1.5] };
  const upstream = await serve((response, { url }) =>
    sendJson(response, 200, url?.includes('embeddings') ? { object: 'list', data: [vector] } : completion('fine')),
  );
  try {
    const upstreams = ['--upstream', `openai=${upstream.baseUrl}`];
    const args = ['serve', '--record', '--tape', tape, '--json', ...upstreams, ...options];
    const child = startEngine(args, { cwd: project.root });
    const end = ended(child);
    const [line] = (await Promise.race([once(child.stdout, 'data'), end.then(() => ['{}'])])) as [string];
    const { OPENAI_BASE_URL: base } = JSON.parse(line) as { readonly OPENAI_BASE_URL?: string };
    if (base !== undefined) {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] });
      await (await fetch(`${base}/chat/completions`, { method: 'POST', body })).text();
      await meanwhile(base);
      child.kill('SIGINT');
    }
    return await end;
  } finally {
    await upstream.close();
  }
}

describe('tapedeck serve', () => {
  before(buildEngine);

  it('writes the recording when it is stopped', async () => {
    await inProject({ 'tapedeck.toml': '' }, async (project) => {
      const { code, stderr } = await recorded('tapes/a.tape.jsonl', project, async () => undefined);
      assert.equal(code, 0, stderr);
      assert.match(await project.read('tapes/a.tape.jsonl'), /hello/);
    });
  });

  it('writes a new tape in the format that was asked for', async () => {
    const embed = async (base: string): Promise<void> => {
      const body = JSON.stringify({ model: 'e', input: 'a text' });
      await (await fetch(`${base}/embeddings`, { method: 'POST', body })).text();
    };
    await inProject({ 'tapedeck.toml': '' }, async (project) => {
      const { code, stderr } = await recorded('tapes/a.jsonl', project, embed, ['--to', 'reyn']);
      assert.equal(code, 0, stderr);
      const [chat, embedding] = (await project.read('tapes/a.jsonl'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        [chat.kind, chat.prompt_preview, chat.response.choices[0].message.content],
        ['completion', 'hello', 'fine'],
      );
      assert.deepEqual(
        [embedding.kind, embedding.response.data],
        ['embedding', [{ embedding: [0.25, -1.5], index: 0, object: 'embedding' }]],
      );
      const again = await recorded('tapes/a.jsonl', project, embed);
      assert.equal(again.code, 0, again.stderr);
      assert.match(await project.read('tapes/a.jsonl'), /"key": "[0-9a-f]{64}"/, 'a tape keeps its format');
    });
  });

  const spoilt: Readonly<Record<string, [(project: TestProject) => Promise<unknown>, RegExp]>> = {
    'a folder': [(project) => mkdir(project.path('tapes/a.tape.jsonl'), { recursive: true }), /this is a folder/],
    'a file of no tape format': [
      (project) => project.write('tapes/a.tape.jsonl', '# Notes\n'),
      /not a tape in a known/,
    ],
    'a place in what is no folder': [(project) => writeFile(project.path('tapes'), ''), /not a folder/],
  };
  for (const [what, [spoil, message]] of Object.entries(spoilt)) {
    it(`says that the recording is lost when its place has become ${what}`, async () => {
      await inProject({ 'tapedeck.toml': '' }, async (project) => {
        const { code, stderr } = await recorded('tapes/a.tape.jsonl', project, async () => void (await spoil(project)));
        assert.equal(code, 2, stderr);
        assert.match(stderr, message);
        assert.match(stderr, /tapes\/a\.tape\.jsonl/);
      });
    });

    it(`does not start for ${what}`, async () => {
      await inProject({ 'tapedeck.toml': '' }, async (project) => {
        await spoil(project);
        const { code, stdout, stderr } = await recorded('tapes/a.tape.jsonl', project, () =>
          assert.fail('it has started'),
        );
        assert.deepEqual([code, stdout], [2, ''], stderr);
        assert.match(stderr, /tapes/);
      });
    });
  }
});
