import assert from 'node:assert/strict';
import { inProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';

const TAPE = JSON.stringify({
  version: 1,
  case_name: 'order_status',
  interactions: [
    { request: { model: 'gpt-4o', messages: [{ role: 'user', content: 'p' }] }, response: { content: 'kept' } },
  ],
});
const caseText = (name: string, tape: string, provider = '[llm.provider]\nkind = "practice"\n') =>
  `name = "${name}"\nprompt = "p"\n[llm]\ntape = "${tape}"\n${provider}`;

describe('a tape of several cases', function () {
  this.timeout(60_000);

  const FILES = {
    'tapedeck.toml': '',
    'tapes/order_status.tape.json': TAPE,
    'cases/order_status.toml': caseText('order_status', '../tapes/order_status.tape.json', ''),
    'cases/mine.toml': caseText('mine', '../tapes/./order_status.tape.json'),
  };

  it('is said on stderr when `run --record` replaces it, with what it is', async () => {
    await inProject(FILES, async (project) => {
      const { stderr } = await tapedeck(project, 'run', 'cases/mine.toml', '--record');
      assert.match(
        stderr,
        /^cases\/mine\.toml: replaces tapes\/order_status\.tape\.json: 1 interaction with gpt-4o \(MoFA tape\), last changed less than a minute ago; 1 live call, free\n/,
      );
      assert.match(
        stderr,
        /^cases\/mine\.toml: warning: a recording of this case replaces the tape of cases\/order_status\.toml$/m,
      );
    });
  });

  it('is not said to be replaced where a recording keeps it', async () => {
    const keeping = (onMiss: string) => `${FILES['cases/mine.toml']}[llm.replay]\non_miss = "${onMiss}"\n`;
    await inProject({ ...FILES, 'cases/mine.toml': keeping('passthrough') }, async (project) => {
      const passed = await tapedeck(project, 'run', 'cases/mine.toml', '--record');
      assert.doesNotMatch(passed.stderr, /replaces|adds to/);
      await project.write('cases/mine.toml', keeping('record'));
      const added = await tapedeck(project, 'run', 'cases/mine.toml', '--record');
      assert.match(added.stderr, /^cases\/mine\.toml: adds to tapes\/order_status\.tape\.json: 1 interaction/);
      const continued = await tapedeck(project, 'run', 'cases/mine.toml', '--record', '--from', '1');
      assert.match(continued.stderr, /^cases\/mine\.toml: replaces tapes\/order_status\.tape\.json/);
    });
  });

  it('is a finding of `verify`: a warning when several cases record it', async () => {
    await inProject(FILES, async (project) => {
      const one = await tapedeck(project, 'verify');
      assert.match(
        one.stdout,
        /info: a recording of cases\/mine\.toml replaces this tape, which cases\/order_status\.toml replays \[shared\]/,
      );
      await project.write('cases/order_status.toml', caseText('order_status', '../tapes/order_status.tape.json'));
      const two = await tapedeck(project, 'verify');
      assert.match(two.stdout, /warning: cases\/mine\.toml and cases\/order_status\.toml record over each other/);
      assert.equal(two.code, 1);
    });
  });

  it('counts the provider of tapedeck.toml', async () => {
    const provider = '[provider]\nkind = "practice"\n';
    await inProject({ ...FILES, 'tapedeck.toml': provider }, async (project) => {
      assert.match((await tapedeck(project, 'verify')).stdout, /record over each other/);
    });
  });

  it('is none where each case has its own, or one file has several cases', async () => {
    const own = { ...FILES, 'cases/mine.toml': caseText('mine', '../tapes/mine.tape.json') };
    await inProject(own, async (project) => {
      assert.doesNotMatch((await tapedeck(project, 'verify')).stdout, /\[shared\]/);
      const { stderr } = await tapedeck(project, 'run', 'cases/mine.toml', '--record');
      assert.doesNotMatch(stderr, /replaces/);
    });
  });
});
