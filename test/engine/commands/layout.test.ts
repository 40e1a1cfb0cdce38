import assert from 'node:assert/strict';
import { inProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';

const call = (asked: string, said: string) => ({
  type: 'model',
  in: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: asked }] },
  out: {
    id: 'c1',
    object: 'chat.completion',
    model: 'gpt-4o-mini',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: said } }],
  },
});
const OWN = JSON.stringify({
  run: {
    steps: [
      call('Weather?', 'Four degrees.'),
      { type: 'tool', name: 'get_weather', args: { city: 'Oslo' }, result: { temp: 4 } },
      call('Wind?', 'Windy.'),
    ],
  },
});

describe('tapedeck layout', () => {
  it('describes a recording of a format of its own, which is a tape from then on', async () => {
    await inProject({ 'recordings/a.json': OWN, 'tapedeck.toml': '' }, async (project) => {
      const before = await tapedeck(project, 'inspect', 'recordings/a.json');
      assert.equal(before.code, 2);
      assert.match(before.stderr, /tapedeck layout recordings\/a\.json/);
      const proposed = await tapedeck(project, 'layout', 'recordings/a.json', '--name', 'ours');
      assert.equal(proposed.code, 0, proposed.stderr);
      assert.match(
        proposed.stdout,
        /^\[\[tapes\.layout\]\]\nname = "ours"\nfiles = \["recordings\/\*\.json"\]\nentries = "run\.steps"\n/,
      );
      assert.match(proposed.stderr, /it has 3 interactions; the first answer is: Four degrees\./);
      await project.write('tapedeck.toml', proposed.stdout);
      const after = await tapedeck(project, 'inspect', 'recordings/a.json', '--json');
      assert.equal(after.code, 0, after.stderr);
      assert.equal(JSON.parse(after.stdout).format, 'layout:ours');
      assert.match((await tapedeck(project, 'search', 'Windy')).stdout, /#3/);
      assert.match((await tapedeck(project, 'formats')).stdout, /^layout:ours +ours +read\n/);
    });
  });

  it('finds nothing in a file without calls', async () => {
    await inProject({ 'data.json': '{"name":"a","list":[{"b":1}]}' }, async (project) => {
      const { code, stdout, stderr } = await tapedeck(project, 'layout', 'data.json');
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, /no request or response that Tapedeck knows/);
    });
  });
});
