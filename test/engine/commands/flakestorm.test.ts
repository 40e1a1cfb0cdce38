import assert from 'node:assert/strict';
import { startOf } from '../../../src/engine/flakestorm/langSmith';
import { buildEngine, inProject, tapeOf } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { sendJson, serve } from '../../harness/support';

const CONFIG = `agent: {endpoint: "http://localhost:1/x"}
golden_prompts: ["one", "two"]
invariants:
  - {type: contains, value: source}
contract:
  name: main
  invariants:
    - {id: cites, type: contains, value: source, severity: high}
chaos:
  llm_faults: [{mode: garbage, after_calls: 3}]
replays:
  sessions:
    - {id: s, input: hi, contract: main}
`;
const TAPES = {
  'flakestorm.prompt-1.tape.json': tapeOf('1', ['a source']),
  'flakestorm.prompt-2.tape.json': tapeOf('2', ['a source']),
  'flakestorm.s.tape.json': tapeOf('s', ['a source']),
};

describe('tapedeck flakestorm ci', function () {
  this.timeout(30_000);
  before(buildEngine);

  it('scores the phases that a configuration has, and weighs them', async () => {
    await inProject({ 'flakestorm.yaml': CONFIG, ...TAPES }, async (project) => {
      const { code, stdout, stderr } = await tapedeck(project, 'flakestorm', 'ci', '--json');
      assert.equal(stderr, '');
      assert.equal(code, 0);
      const { scores, overall } = JSON.parse(stdout);
      assert.deepEqual(scores, { mutation: 0.5, contract: 0, chaos: 0.5, replay: 1 }, 'the chaos strikes each phase');
      assert.equal(overall, 0.375);
    });
  });

  it('fails below the minimum and says which phase it is', async () => {
    await inProject({ 'flakestorm.yaml': CONFIG, ...TAPES }, async (project) => {
      const { code, stdout } = await tapedeck(project, 'flakestorm', 'ci', '--min-score', '0.6');
      assert.equal(code, 1);
      assert.match(stdout, /chaos scored 50.0%, below 60.0%/);
      assert.match(stdout, /overall: 37.5%/);
    });
  });

  it('runs under the chaos of a profile', async () => {
    const profile = 'name: mute\nchaos:\n  llm_faults:\n    - mode: empty\n';
    await inProject({ 'flakestorm.yaml': CONFIG, 'mute.yaml': profile, ...TAPES }, async (project) => {
      const { stdout } = await tapedeck(project, 'flakestorm', 'ci', '--json', '--profile', 'mute.yaml');
      assert.equal(JSON.parse(stdout).scores.chaos, 0);
    });
  });

  it('says which tape is missing, as `run` does', async () => {
    await inProject({ 'flakestorm.yaml': CONFIG }, async (project) => {
      const { code, stderr } = await tapedeck(project, 'flakestorm', 'ci');
      assert.equal(code, 4);
      assert.match(
        stderr,
        /^tapedeck: No recording yet: flakestorm\.prompt-1\.tape\.json does not exist\n {2}Record it first/,
      );
      assert.doesNotMatch(stderr, /bug in Tapedeck/);
    });
  });

  it('says where a configuration is wrong', async () => {
    await inProject({ 'flakestorm.yaml': CONFIG.replace('type: contains', 'type: contans') }, async (project) => {
      const { code, stderr } = await tapedeck(project, 'flakestorm', 'ci');
      assert.equal(code, 2);
      assert.match(stderr, /flakestorm\.yaml:4:12: unknown invariant type: contans/);
    });
  });
});

const ID = '0a0a0a0a-0000-4000-8000-000000000001';
const CHILD = '0a0a0a0a-0000-4000-8000-000000000002';
const PROJECT = '0a0a0a0a-0000-4000-8000-0000000000aa';
const root = {
  id: ID,
  name: 'support',
  inputs: { input: 'Where is 4711?' },
  outputs: {},
  session_id: PROJECT,
  trace_id: ID,
  child_run_ids: [CHILD],
  error: null,
  run_type: 'chain',
  start_time: '2026-01-01T00:00:00Z',
  dotted_order: `20260101T000000000000Z${ID}`,
};
const child = {
  ...root,
  id: CHILD,
  name: 'lookup',
  parent_run_id: ID,
  outputs: { status: 'shipped' },
  error: 'late',
  run_type: 'tool',
  dotted_order: `${root.dotted_order}.20260101T000001000000Z${CHILD}`,
};

describe('tapedeck flakestorm import', function () {
  this.timeout(30_000);
  before(buildEngine);

  it('makes sessions of LangSmith runs, by run and by project with its filters', async () => {
    const queries: Record<string, unknown>[] = [];
    const server = await serve((response, { url, body, headers }) => {
      assert.equal(headers['x-api-key'], 'k');
      if (url.startsWith(`/runs/${ID}`)) sendJson(response, 200, root);
      else if (url.startsWith('/runs/query')) {
        const query = JSON.parse(body);
        queries.push(query);
        sendJson(response, 200, { runs: query.is_root ? [root] : [child], cursors: {} });
      } else if (url.startsWith('/sessions')) sendJson(response, 200, [{ id: PROJECT, name: 'support' }]);
      else sendJson(response, 404, { detail: url });
    });
    const env = { LANGSMITH_API_KEY: 'k', LANGSMITH_ENDPOINT: `http://${server.host}` };
    try {
      await inProject({}, async (project) => {
        const one = await project.cli(['flakestorm', 'import', '--from-langsmith', ID], env);
        assert.equal(one.code, 0, one.stderr);
        const text = await project.read(`replays/replay-${ID}.yaml`);
        assert.equal(
          text,
          `id: ${ID}\nname: support\nsource: langsmith\ninput: Where is 4711?\ntool_responses:\n- tool: lookup\n  response:\n    status: shipped\n  status: 0\ncontract: default\n`,
        );
        const filters = [
          '--filter-status',
          'warning',
          '--min-latency-ms',
          '1500',
          '--date-range',
          'last_7_days',
          '--output',
          'more',
        ];
        const many = await project.cli(
          ['flakestorm', 'import', '--from-langsmith-project', 'support', ...filters],
          env,
        );
        assert.equal(many.code, 0, many.stderr);
        assert.equal(await project.read(`more/replay-${ID}.yaml`), text);
        const asked = queries.find(({ is_root }) => is_root === true);
        assert.deepEqual([asked?.session, asked?.error, asked?.filter], [[PROJECT], false, 'gt(latency, 1.5)']);
        assert.ok(Math.abs(Date.parse(String(asked?.start_time)) - Date.now() + 7 * 86_400_000) < 60_000);
      });
    } finally {
      await server.close();
    }
  });

  it('scores the sessions of LangSmith sources in a live ci', async () => {
    const server = await serve((response, { url, body }) => {
      if (url.startsWith('/invoke')) sendJson(response, 200, { output: `a source: ${JSON.parse(body).input}` });
      else if (url.startsWith(`/runs/${ID}`)) sendJson(response, 200, root);
      else sendJson(response, 200, { runs: [child], cursors: {} });
    });
    const sources = `  sources:\n    - {type: langsmith_run, run_id: ${ID}}\n    - {type: langsmith, project: later}\n`;
    const config = CONFIG.replace('http://localhost:1/x', `http://${server.host}/invoke`) + sources;
    try {
      await inProject({ 'flakestorm.yaml': config }, async (project) => {
        const env = { LANGSMITH_API_KEY: 'k', LANGSMITH_ENDPOINT: `http://${server.host}` };
        const { stdout, stderr } = await project.cli(['flakestorm', 'ci', '--live', '--json'], env);
        assert.deepEqual([stderr, JSON.parse(stdout).scores.replay], ['', 1]);
        const { stdout: listed } = await tapedeck(project, 'run', '--reporter', 'json', 'flakestorm.yaml#source%3A1');
        assert.match(JSON.parse(listed).results[0].failures[0].message, /have not been imported: run/);
      });
    } finally {
      await server.close();
    }
  });

  it('says what is missing: a key, a run', async () => {
    const server = await serve((response) => sendJson(response, 404, { detail: 'Run not found' }));
    try {
      await inProject({}, async (project) => {
        const keyless = await tapedeck(project, 'flakestorm', 'import', '--from-langsmith', ID);
        assert.match(keyless.stderr, /no LangSmith API key is set\n {2}Set LANGSMITH_API_KEY/);
        const env = { LANGSMITH_API_KEY: 'k', LANGSMITH_ENDPOINT: `http://${server.host}` };
        const unknown = await project.cli(['flakestorm', 'import', '--from-langsmith', ID], env);
        assert.equal(unknown.code, 2);
        assert.match(unknown.stderr, /LangSmith did not return the run/);
      });
    } finally {
      await server.close();
    }
  });

  it('understands spans of time', () => {
    const now = new Date('2026-02-01T00:00:00Z');
    const start = (text: string) => startOf(text, now)?.toISOString();
    assert.equal(start('last_7_days'), '2026-01-25T00:00:00.000Z');
    assert.equal(start('last-24-hours'), '2026-01-31T00:00:00.000Z');
    assert.equal(start('2 weeks'), '2026-01-18T00:00:00.000Z');
    assert.equal(start('lately'), undefined);
  });
});
