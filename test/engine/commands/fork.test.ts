import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { buildEngine, ended, inProject, startEngine, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { PROGRAMS, RefundModel, refundCase } from '../forks/refundAgents';

const TAPE = 'tapes/refund.tape.jsonl';
const FORK = 'tapes/refund.fork.tape.jsonl';
const ENV = { OPENAI_API_KEY: 'k' };

describe('tapedeck fork', function () {
  this.timeout(60_000);
  let model: RefundModel;
  let baseUrl: string;

  before(buildEngine);
  beforeEach(async () => {
    model = new RefundModel();
    baseUrl = await model.start();
  });
  afterEach(() => model.stop());

  async function inRecorded(check: (project: TestProject, original: string) => Promise<void>): Promise<void> {
    const [file, text] = PROGRAMS.node;
    const refund = refundCase('node', TAPE, baseUrl);
    await inProject({ 'tapedeck.toml': '', [file]: text, 'refund.toml': refund }, async (project) => {
      const recorded = await project.cli(['run', 'refund.toml', '--record'], ENV);
      assert.equal(recorded.code, 0, recorded.stderr);
      model.seen.length = 0;
      await check(project, await project.read(TAPE));
      assert.equal(await project.read('refund.toml'), refund);
    });
  }

  it('says the price first, records from there on, and prints how to compare and replay', async () => {
    await inRecorded(async (project, original) => {
      const options = ['--from', '2', '--tool-result', 'order 7 is here', '--model', 'gpt-4o-mini'];
      const { code, stdout, stderr } = await project.cli(['fork', TAPE, ...options], ENV);
      assert.equal(code, 0, stderr);
      assert.match(
        stderr,
        /^tapes\/refund\.fork\.tape\.jsonl shares 1 interaction of tapes\/refund\.tape\.jsonl; if the rest goes as on the tape: 2 live calls, .*\$/,
      );
      assert.match(
        stdout,
        /^tapes\/refund\.fork\.tape\.jsonl: 3 interactions, the first 1 shared with tapes\/refund\.tape\.jsonl\n {2}Its requests have the edited model and tool results\..*\n {2}Compare: tapedeck diff /,
      );
      assert.equal(await project.read(TAPE), original);
      assert.deepEqual(
        model.seen.map(({ body }) => body.model),
        ['gpt-4o-mini', 'gpt-4o-mini'],
      );
      const diff = JSON.parse((await tapedeck(project, 'diff', TAPE, FORK, '--json')).stdout);
      const changed = new Set(
        (diff.changes as { readonly interaction?: number }[]).map(({ interaction }) => interaction),
      );
      assert.ok(!changed.has(0), JSON.stringify([...changed]));
    });
  });

  it('takes changes from the file that --print writes, and never a name that exists', async () => {
    await inRecorded(async (project) => {
      const printed = await tapedeck(project, 'fork', 'refund.toml', '--from', '2', '--print');
      assert.match(printed.stdout, /system = "Be kind\."/);
      await project.write(
        'fork.toml',
        printed.stdout.replace('Be kind.', 'Be brief.').replace('was lost', 'was found'),
      );
      const json = await project.cli(['fork', 'refund.toml', '--from', '2', '--edit', 'fork.toml', '--json'], ENV);
      const { ok, tape, fork, shared, interactions } = JSON.parse(json.stdout);
      assert.deepEqual([ok, tape, fork, shared, interactions], [true, TAPE, FORK, 1, 3]);
      assert.match(JSON.stringify(model.seen[0]?.body), /Be brief\..*was found/);
      const again = await project.cli(['fork', 'refund.toml', '--from', '2', '--out', FORK], ENV);
      assert.equal(again.code, 2);
      assert.match(again.stderr, /refund\.fork\.tape\.jsonl already exists/);
      await project.write('fork.toml', printed.stdout.replace('system =', 'sytem ='));
      const wrong = await project.cli(['fork', 'refund.toml', '--from', '2', '--edit', 'fork.toml'], ENV);
      assert.match(wrong.stderr, /fork\.toml:\d+:\d+: unknown field `sytem`/);
    });
  });

  it('can be recovered with what it shares, where it was killed', async () => {
    await inRecorded(async (project, original) => {
      const [file, text] = PROGRAMS.node;
      // Waits for the end of the test once two requests were sent.
      const waits = text.replace(
        'for (;;) {',
        'for (let turn = 0; ; turn += 1) {\n  if (turn === 2) await new Promise((end) => setTimeout(end, 60_000));',
      );
      await project.write(file, waits);
      const child = startEngine(['fork', 'refund.toml', '--from', '2', '--tool-result', 'here'], {
        cwd: project.root,
        env: ENV,
      });
      const end = ended(child);
      const hasEntry = async (): Promise<boolean> => {
        const folder = project.path('.tapedeck/journal');
        const [name] = await readdir(folder).catch(() => []);
        return name !== undefined && (await readFile(`${folder}/${name}`, 'utf8')).includes('"http"');
      };
      while (!(await hasEntry())) await new Promise((next) => setTimeout(next, 50));
      child.kill('SIGKILL');
      await end;
      assert.equal(project.has(FORK), false);
      const saved = await tapedeck(project, 'recover', '--save');
      assert.equal(saved.code, 0, saved.stderr + saved.stdout);
      assert.equal(await project.read(TAPE), original);
      const inspected = JSON.parse((await tapedeck(project, 'inspect', FORK, '--json')).stdout);
      assert.equal(inspected.interactions.length, 2);
      const fork = await project.read(FORK);
      assert.ok(fork.startsWith(original.slice(0, original.indexOf('"response"'))));
    });
  });
});
