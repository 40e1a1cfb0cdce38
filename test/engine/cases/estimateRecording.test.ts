import assert from 'node:assert/strict';
import { PRICES_DATE } from '../../../src/core/prices/pricesDate';
import { inProject, taped } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';

const caseOf = (name: string, model?: string) => {
  const provider = `[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "http://127.0.0.1:9"\n`;
  return taped(name, `${name}.tape.json`, `${provider}${model === undefined ? '' : `model = "${model}"\n`}`);
};
const usage = { prompt_tokens: 100_000, completion_tokens: 10_000, total_tokens: 110_000 };
const tapeOfModel = (model: string) =>
  JSON.stringify({
    version: 1,
    case_name: 'a case',
    interactions: ['a', 'b'].map((content) => ({
      request: { model, messages: [{ role: 'user', content }], tools: [] },
      response: content,
      tool_calls: [],
      usage,
    })),
  });

describe('what a recording is likely to cost', function () {
  this.timeout(60_000);

  const FILES = {
    'tapedeck.toml': '[prices]\nours = { input = 1, output = 0 }\n',
    'paid.toml': caseOf('paid', 'gpt-4o'),
    'paid.tape.json': tapeOfModel('gpt-4o-mini'),
    'ours.toml': caseOf('ours', 'ours'),
    'ours.tape.json': tapeOfModel('gpt-4o'),
    'theirs.toml': caseOf('theirs', 'theirs'),
    'theirs.tape.json': tapeOfModel('gpt-4o'),
    'new.toml': caseOf('new'),
  };

  it('is told before it, for each case and together, of the model that is called', async () => {
    await inProject(FILES, async (project) => {
      const { stderr } = await tapedeck(project, 'run', '.', '--record', '--jobs', '1');
      const costOf = (name: string) => new RegExp(`^${name}\\.toml: (?:.*; )?(.*)$`, 'm').exec(stderr)?.[1];
      assert.equal(costOf('paid'), '2 live calls, about $0.70', stderr);
      assert.equal(costOf('ours'), '2 live calls, about $0.20');
      assert.equal(costOf('theirs'), 'no price for theirs is known', stderr);
      assert.equal(costOf('new'), 'a first recording: gpt-4o-mini costs $0.15 for a million tokens in, and $0.60 out');
      assert.ok(
        stderr.includes(
          `tapedeck: together 6 live calls, at least $0.90: no price for theirs is known (list prices of ${PRICES_DATE}), and 1 first recording, whose cost is unknown\n`,
        ),
        stderr,
      );
    });
  });

  it('is that of the end which is recorded', async () => {
    await inProject(FILES, async (project) => {
      const continued = await tapedeck(project, 'run', 'paid.toml', '--record', '--from', '2');
      assert.match(continued.stderr, /; 1 live call, about \$0\.35 \(list prices of .*\)\n/);
      const drifted = await tapedeck(project, 'run', 'paid.toml', '--record', '--from', 'drift');
      assert.match(drifted.stderr, /; at most 2 live calls, about \$0\.70 \(/);
    });
  });

  it('is that of all takes of a stability check', async () => {
    await inProject(FILES, async (project) => {
      const { stderr } = await tapedeck(project, 'stability', 'paid.toml', '-n', '3');
      assert.match(stderr, /^tapedeck: 3 takes: 6 live calls, about \$2\.10 \(/m);
      const first = await tapedeck(project, 'stability', 'new.toml', '-n', '2');
      assert.match(first.stderr, /^tapedeck: 2 takes: gpt-4o-mini costs/m);
    });
  });

  it('of a program is that of the tape which it replaces', async () => {
    await inProject(FILES, async (project) => {
      const record = (tape: string) =>
        tapedeck(project, 'exec', '--record', '--tape', tape, '--', process.execPath, '-e', '0');
      assert.match(
        (await record('ours.tape.json')).stderr,
        /^tapedeck: record: the last recording has 2 live calls, about \$0\.70 \(/m,
      );
      assert.doesNotMatch((await record('none.tape.json')).stderr, /live call/);
    });
  });
});
