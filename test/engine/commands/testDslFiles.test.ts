import assert from 'node:assert/strict';
import { ARTIFACT_KEYS } from '../../core/cases/artifacts';
import { inProject, scripted, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';

describe('the files of test-dsl', function () {
  this.timeout(30_000);

  const CASE = scripted('greeting', ['hello'], '[assert]\ncontains = "hello"');
  const inCase = (test: (project: TestProject) => Promise<void>, text = CASE) => inProject({ 'a.toml': text }, test);

  it('--artifact-out and --baseline-out write the artifact with MoFA’s fields, in order, without a final newline', async () => {
    await inCase(async (project) => {
      const flags = ['--artifact-out', 'a.json', '--baseline-out', 'b.json'];
      assert.equal((await tapedeck(project, 'test-dsl', 'a.toml', ...flags)).code, 0);
      const text = await project.read('a.json');
      assert.equal(await project.read('b.json'), text);
      assert.equal(text.endsWith('}'), true);
      const artifact = JSON.parse(text);
      assert.deepEqual(Object.keys(artifact), ARTIFACT_KEYS);
      assert.deepEqual(artifact.assertions, [{ kind: 'contains', expected: 'hello', actual: 'hello', passed: true }]);
      assert.equal(artifact.status, 'passed');
      assert.deepEqual(Object.keys(artifact.llm_request), [
        'model',
        'temperature',
        'max_tokens',
        'messages',
        'tool_names',
      ]);
      assert.deepEqual(artifact.llm_response, { content: 'hello', tool_calls: [], usage: null });
      assert.equal(project.has('.tapedeck'), false, 'test-dsl keeps no runs');
    });
  });

  it('--baseline-in that matches says so', async () => {
    await inCase(async (project) => {
      await tapedeck(project, 'test-dsl', 'a.toml', '--baseline-out', 'b.json');
      const { code, stdout } = await tapedeck(
        project,
        'test-dsl',
        'a.toml',
        '--baseline-in',
        'b.json',
        '--fail-on-diff',
      );
      assert.equal(code, 0);
      assert.match(stdout, /\nduration_ms: \d+\nbaseline: matched\n$/);
    });
  });

  /** A project whose case has changed its output since the baseline. */
  const changed = (test: (project: TestProject) => Promise<void>) =>
    inCase(async (project) => {
      await tapedeck(project, 'test-dsl', 'a.toml', '--baseline-out', 'b.json');
      await project.write('a.toml', scripted('greeting', ['hello, you'], '[assert]\ncontains = "hello"'));
      await test(project);
    });

  it('--baseline-in that differs says where, and still ends with 0', async () => {
    await changed(async (project) => {
      const { code, stdout, stderr } = await tapedeck(project, 'test-dsl', 'a.toml', '--baseline-in', 'b.json');
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /\nduration_ms: \d+\nbaseline: mismatch\ndifference: output_text\n$/);
    });
  });

  it('--fail-on-diff makes that a 1, after everything is written and printed', async () => {
    await changed(async (project) => {
      const flags = [
        '--baseline-in',
        'b.json',
        '--fail-on-diff',
        '--artifact-out',
        'a.json',
        '--comparison-out',
        'c.json',
      ];
      const { code, stdout, stderr } = await tapedeck(project, 'test-dsl', 'a.toml', ...flags);
      assert.equal(code, 1);
      assert.match(stdout, /baseline: mismatch/);
      assert.equal(stderr, 'baseline comparison mismatch\n');
      assert.ok(project.has('a.json') && project.has('c.json'));
    });
  });

  it('shows the comparison in the JSON output', async () => {
    await changed(async (project) => {
      const flags = ['--baseline-in', 'b.json', '--output-format', 'json'];
      const summary = JSON.parse((await tapedeck(project, 'test-dsl', 'a.toml', ...flags)).stdout);
      assert.equal(summary.case.baseline_matches, false);
      assert.deepEqual(summary.baseline, {
        matches: false,
        differences: [{ field: 'output_text', expected: 'hello', actual: 'hello, you' }],
      });
    });
  });

  it('--comparison-out writes the comparison', async () => {
    await changed(async (project) => {
      const flags = ['--baseline-in', 'b.json', '--comparison-out', 'c.json', '--artifact-out', 'a.json'];
      assert.equal((await tapedeck(project, 'test-dsl', 'a.toml', ...flags)).code, 0);
      const [baseline, candidate] = [await project.json('b.json'), await project.json('a.json')];
      const text = await project.read('c.json');
      assert.equal(text.endsWith('}'), true);
      assert.deepEqual(JSON.parse(text), {
        case_name: 'greeting',
        matches: false,
        differences: [{ field: 'output_text', expected: 'hello', actual: 'hello, you' }],
        baseline_execution_id: baseline.execution_id,
        candidate_execution_id: candidate.execution_id,
      });
    });
  });

  it('--comparison-out without a baseline fails, after the artifact is written', async () => {
    await inCase(async (project) => {
      const flags = ['--comparison-out', 'c.json', '--artifact-out', 'a.json', '--report-out', 'r.json'];
      const { code, stdout, stderr } = await tapedeck(project, 'test-dsl', 'a.toml', ...flags);
      assert.deepEqual([code, stdout, stderr], [1, '', 'comparison output requires --baseline-in\n']);
      assert.deepEqual([project.has('a.json'), project.has('c.json'), project.has('r.json')], [true, false, false]);
    });
  });

  it('compares with the baseline that was there when --baseline-out names the same file', async () => {
    await changed(async (project) => {
      const flags = ['--baseline-in', 'b.json', '--baseline-out', 'b.json'];
      assert.match((await tapedeck(project, 'test-dsl', 'a.toml', ...flags)).stdout, /baseline: mismatch/);
      assert.match((await tapedeck(project, 'test-dsl', 'a.toml', ...flags)).stdout, /baseline: matched/);
    });
  });

  it('--report-out writes JSON', async () => {
    await inCase(async (project) => {
      await tapedeck(project, 'test-dsl', 'a.toml', '--report-out', 'r.json', '--artifact-out', 'a.json');
      const artifact = await project.json('a.json');
      const { timestamp, total_duration_ms, ...report } = await project.json('r.json');
      assert.ok(Math.abs(Date.now() - Number(timestamp)) < 60_000);
      assert.ok(Number.isInteger(total_duration_ms));
      assert.deepEqual(report, {
        suite: 'dsl',
        summary: { total: 1, passed: 1, failed: 0, skipped: 0, pass_rate: 1 },
        results: [
          {
            name: 'greeting',
            status: 'passed',
            duration_ms: artifact.duration_ms,
            metadata: {
              execution_id: artifact.execution_id,
              workspace_root: artifact.workspace_root,
              tool_calls: '0',
            },
          },
        ],
      });
    });
  });

  it('--report-out writes text, with the reason of a failure', async () => {
    await inCase(
      async (project) => {
        const flags = ['--report-out', 'r.txt', '--report-format', 'text'];
        assert.equal((await tapedeck(project, 'test-dsl', 'a.toml', ...flags)).code, 1);
        const text = await project.read('r.txt');
        assert.match(
          text,
          /^=== dsl ===\n\[x\] greeting \.\. \d+ms\n {5}error: assertion failed: contains\n\nTotal: 1 \| Passed: 0 \| Failed: 1 \| Skipped: 0\nPass rate: 0\.0% \| Duration: \d+ms\n$/,
        );
      },
      scripted('greeting', ['hello'], '[assert]\ncontains = "bye"'),
    );
  });

  it('says so when a file cannot be written', async () => {
    await inCase(async (project) => {
      const { code, stderr } = await tapedeck(project, 'test-dsl', 'a.toml', '--artifact-out', 'a.toml/b.json');
      assert.equal(code, 1);
      assert.match(stderr, /^failed to write a\.toml\/b\.json: /);
    });
  });

  it('says so when the baseline is not there, or is none', async () => {
    await inCase(async (project) => {
      const missing = await tapedeck(project, 'test-dsl', 'a.toml', '--baseline-in', 'no.json');
      assert.deepEqual([missing.code, missing.stdout], [1, '']);
      assert.match(missing.stderr, /^failed to read the baseline: no\.json: there is no such file\n/);
      await project.write('no.json', '{\n  "case_name": 1\n}');
      const broken = await tapedeck(project, 'test-dsl', 'a.toml', '--baseline-in', 'no.json');
      assert.equal(broken.code, 1);
      assert.match(broken.stderr, /^failed to read the baseline: it is not an artifact: .*\n {2}no\.json:2:16\n/);
    });
  });
});
