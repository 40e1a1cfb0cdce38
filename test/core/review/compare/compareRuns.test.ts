import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareArtifacts, MOFA_FIELDS, readArtifact, writeArtifact } from '../../../../src/core/cases/artifactFile';
import type { Artifact, ArtifactProcess } from '../../../../src/core/model/artifact';
import type { Change } from '../../../../src/core/model/change';
import { compareRuns } from '../../../../src/core/review/compare/compareRuns';
import { COMPARISON_LIMITS } from '../../../../src/core/review/compare/comparisonScope';
import { Normaliser } from '../../../../src/core/review/compare/normaliser';
import { mergeRuns } from '../../../../src/core/review/merge/mergeRuns';
import { artifact, artifactOf, toolCallOf } from '../../cases/artifacts';

const passed = { kind: 'contains', expected: 'a', actual: 'a', passed: true };

function titles(changes: Partial<Artifact>, from: Partial<Artifact> = {}): string[] {
  return compareRuns(artifactOf(from), artifactOf({ ...from, ...changes })).changes.map(({ title }) => title);
}

describe('compareRuns', () => {
  it('sees whatever MoFA sees', () => {
    fc.assert(
      fc.property(artifact, artifact, (baseline, candidate) => {
        const { changes } = compareRuns(baseline, candidate);
        const seen = changes.flatMap(({ place, repeats }) => [place, ...repeats]).map(({ path }) => path[0]);
        for (const { field } of compareArtifacts(baseline, candidate, MOFA_FIELDS).differences)
          assert.ok(seen.includes(field), field);
      }),
    );
  });

  it('misses nothing beyond its limits, and what is accepted there is the run', () => {
    const limits = { ...COMPARISON_LIMITS, valueSize: 0 };
    fc.assert(
      fc.property(artifact, artifact, (baseline, candidate) => {
        const inDetail = compareRuns(baseline, candidate);
        const large = compareRuns(baseline, candidate, new Normaliser(), limits);
        assert.equal(large.changes.length > 0, inDetail.changes.length > 0);
        const everything = new Set([...large.changes, ...large.hidden].map(({ id }) => id));
        assert.equal(mergeRuns(baseline, candidate, large, everything), candidate);
        const none = mergeRuns(baseline, candidate, large, new Set());
        assert.deepEqual([...compareRuns(baseline, none).changes, ...compareRuns(baseline, none).hidden], []);
      }),
    );
  });

  it('shows where values differ that are too large to compare in detail, whatever the rules ignore', () => {
    const long = (end: string) => `${'It is 2026-01-01T00:00:00Z. '.repeat(400_000)}${end}`;
    const from = { output_text: long('yes'), tool_calls: [toolCallOf({ output: long('a') })] };
    const call = (output: string, duration_ms: number) => [toolCallOf({ output: long(output), duration_ms })];
    const ids = (output: string) => {
      const { changes, hidden, notices } = compareRuns(
        artifactOf(from),
        artifactOf({ output_text: long(output), tool_calls: call('a', 99) }),
      );
      assert.deepEqual(
        changes.map(({ title }) => title),
        ['Output'],
      );
      assert.ok((changes[0]?.after.length ?? 0) < 1000 && changes[0]?.after.includes(output));
      assert.equal(notices.length, 1);
      assert.equal(hidden.length, 1);
      return changes.map(({ id }) => id);
    };
    assert.notDeepEqual(ids('no'), ids('never'));
    const { changes } = compareRuns(artifactOf(from), artifactOf({ ...from, tool_calls: call('b', 1) }));
    assert.deepEqual(
      changes.map(({ place }) => place.path),
      [['tool_calls']],
    );
  });

  it('finds no difference between a run and its own file', () => {
    fc.assert(
      fc.property(artifact, (run) => {
        const file = readArtifact(writeArtifact(run)).value;
        assert.ok(file);
        assert.deepEqual(compareRuns(file, run).changes, []);
      }),
    );
  });

  it('names what a tool was given and answered, each as a change', () => {
    const call = toolCallOf({ input: { id: 18446744073709551614n } });
    const from = { tool_calls: [call] };
    assert.deepEqual(titles({ tool_calls: [{ ...call, input: { id: 18446744073709551615n } }] }, from), [
      'Arguments of search',
    ]);
    assert.deepEqual(titles({ tool_calls: [{ ...call, output: 'x' }] }, from), ['Tool result']);
    assert.deepEqual(titles({ tool_calls: [call, toolCallOf({ tool_name: 'refund' })] }, from), [
      'Call to refund added',
    ]);
    assert.deepEqual(titles({ tool_calls: [{ ...call, tool_name: 'lookup' }] }, from), ['Called tool']);
  });

  it('compares all of the artifact, not only what MoFA looks at', () => {
    const file = { relative_path: 'a.txt', size_bytes: 1, modified_ms: 5, checksum: 1n };
    const from = { workspace_after: { files: [file] }, llm_request: { model: 'gpt-4o', temperature: 0 } };
    assert.deepEqual(titles({ workspace_after: { files: [{ ...file, checksum: 2n }] } }, from), ['File a.txt']);
    assert.deepEqual(titles({ llm_request: { model: 'gpt-5', temperature: 0 } }, from), ['Model']);
    assert.deepEqual(titles({ runner_error: 'boom' }), ['Error']);
    const messages = [{ role: 'user', content: 'hi' }];
    assert.deepEqual(titles({ session_snapshot: { messages } }), ['User message added']);
  });

  it('hides what is different in every run', () => {
    const file = { relative_path: 'a.txt', size_bytes: 1, modified_ms: 5, checksum: 1n };
    const call = toolCallOf();
    const from = { tool_calls: [call], assertions: [passed], workspace_after: { files: [file] } };
    const noise: Partial<Artifact> = {
      duration_ms: 99,
      started_at_ms: 1,
      execution_id: 'exec-2',
      session_id: 's',
      workspace_root: 'elsewhere',
      tapedeck: { mode: 'live', tape: 't', verdicts: [] },
      llm_response: { usage: { total_tokens: 5 } },
      tool_calls: [{ ...call, duration_ms: 9 }],
      assertions: [{ ...passed, actual: 'ab' }],
      workspace_after: { files: [{ ...file, modified_ms: 6 }] },
    };
    assert.deepEqual(titles(noise, from), []);
    const { hidden } = compareRuns(artifactOf(from), artifactOf({ ...from, ...noise }));
    assert.ok(hidden.length >= 7 && hidden.every(({ rules }) => rules.length > 0));
  });

  it('shows what a tool is called with, though it looks like a time or an id', () => {
    const run = (at: string): Partial<Artifact> => ({
      tool_calls: [toolCallOf({ input: { at }, output: `booked ${at}` })],
    });
    const [ten, noon] = ['2026-04-04T10:00:00Z', '2026-04-05T12:00:00Z'];
    assert.deepEqual(titles(run(noon), run(ten)), ['Arguments of search']);
    const told = (at: string): Partial<Artifact> => ({
      ...run(at),
      llm_request: { messages: [{ role: 'system', content: `Now: ${at}` }] },
    });
    assert.deepEqual(titles(told(noon), told(ten)), []);
    assert.deepEqual(titles({ output_text: `Done at ${noon}` }, { output_text: `Done at ${ten}` }), ['Output']);
  });

  it('asks one question about a first run, with what the agent did', () => {
    const file = { relative_path: 'a.txt', size_bytes: 1, modified_ms: 5, checksum: 1n };
    const run = artifactOf({
      output_text: 'Done',
      tool_calls: [toolCallOf()],
      workspace_after: { files: [file] },
      llm_request: { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], tool_names: [] },
      llm_response: { content: 'Done', tool_calls: [] },
      session_snapshot: { messages: [{ role: 'user', content: 'hi' }] },
    });
    const [change, ...more] = compareRuns(undefined, run).changes;
    assert.deepEqual([change?.title, more.length, compareRuns(undefined, run).hidden], ['First run', 0, []]);
    const stepsOf = (one: Change | undefined) => one?.recording?.map(({ title }) => title);
    assert.deepEqual(stepsOf(change), ['Called search', 'Output', 'Files']);
    assert.match(change?.after ?? '', /^Called search\n/);
    const [nothing] = compareRuns(undefined, artifactOf({ output_text: null })).changes;
    assert.deepEqual(stepsOf(nothing), ['Status']);
    assert.equal(compareRuns(undefined, { ...run, duration_ms: 7 }).changes[0]?.id, change?.id);
  });

  it('counts the edit of a call once, though the messages of the run repeat it', () => {
    const run = (order: number, id: string): Partial<Artifact> => ({
      tool_calls: [toolCallOf({ input: { order }, output: { status: 'shipped', order } })],
      llm_request: {
        messages: [
          { role: 'user', content: 'Where is it?', tool_call_id: null, tool_calls: [] },
          {
            role: 'assistant',
            content: null,
            tool_call_id: null,
            tool_calls: [{ id, name: 'search', arguments: { order } }],
          },
          { role: 'tool', content: `{"status":"shipped","order":${order}}`, tool_call_id: id, tool_calls: [] },
        ],
      },
    });
    assert.deepEqual(titles(run(18, 'b'), run(17, 'a')), ['Arguments of search', 'Tool result']);
  });

  it('counts an output once that the session repeats', () => {
    const run = (text: string): Partial<Artifact> => ({
      output_text: text,
      llm_response: { content: text },
      session_snapshot: { messages: [{ role: 'assistant', content: text }] },
    });
    assert.deepEqual(titles(run('bye'), run('hello')), ['Output']);
  });

  it('shows what an agent of its own logs, and judges the rest of its process', () => {
    const ran = (changes: Partial<ArtifactProcess> = {}): Artifact =>
      artifactOf({
        tapedeck: {
          mode: 'replay',
          process: {
            command: ['python', 'a.py'],
            exit_code: 0,
            stdout: 'hello\n',
            stderr: 'done in 0.97 s\n',
            ...changes,
          },
        },
      });
    const { stderr: _, ...silent } = ran().tapedeck?.process ?? { command: [], exit_code: 0, stdout: '' };
    const unlogged = artifactOf({ tapedeck: { mode: 'replay', process: silent } });
    for (const [before, after] of [
      [ran(), ran({ stderr: 'Traceback of something else' })],
      // What was committed before, and since.
      [ran(), unlogged],
      [unlogged, ran()],
    ] as const) {
      const { changes, hidden } = compareRuns(before, after);
      assert.deepEqual(changes, []);
      assert.deepEqual(
        hidden.map(({ place, rules }) => [place.path.join('.'), rules]),
        [['tapedeck.process.stderr', ['run']]],
      );
    }
    for (const change of [{ exit_code: 3 }, { command: ['python', 'b.py'] }, { stdout: 'bye\n' }])
      assert.equal(compareRuns(ran(), ran({ ...change, stderr: 'x' })).changes.length, 1, JSON.stringify(change));
  });
});

describe('mergeRuns', () => {
  const ids = ({ changes, hidden }: ReturnType<typeof compareRuns>): string[] =>
    [...changes, ...hidden].map(({ id }) => id);

  it('gives the run for all changes, the baseline for none, and for a part of them just that part', () => {
    fc.assert(
      fc.property(artifact, artifact, fc.infiniteStream(fc.boolean()), (baseline, candidate, picks) => {
        const comparison = compareRuns(baseline, candidate);
        const all = ids(comparison);
        assert.equal(writeArtifact(mergeRuns(baseline, candidate, comparison, new Set(all))), writeArtifact(candidate));
        const accepted = new Set(comparison.changes.map(({ id }) => id).filter(() => picks.next().value));
        const merged = mergeRuns(baseline, candidate, comparison, accepted);
        if (accepted.size === 0) assert.equal(writeArtifact(merged), writeArtifact(baseline));
        assert.deepEqual(readArtifact(writeArtifact(merged)).problems, []);
        for (const { id, place } of comparison.changes) {
          const [field] = place.path;
          if (field !== 'status' && field !== 'output_text' && field !== 'runner_error') continue;
          assert.equal(merged[field], (accepted.has(id) ? candidate : baseline)[field]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('takes one of two edits of what a model called, and leaves the other', () => {
    const called = (...queries: readonly string[]) => ({
      llm_response: {
        content: null,
        tool_calls: queries.map((query, index) => ({ id: `c${index}`, name: `search${index}`, arguments: { query } })),
        usage: null,
      },
    });
    const [old, now] = [called('tea', 'milk'), called('black tea', 'oat milk')].map((one) => artifactOf(one as object));
    assert.ok(old && now);
    const comparison = compareRuns(old, now);
    assert.deepEqual(
      comparison.changes.map(({ title }) => title),
      ['Arguments of search0', 'Arguments of search1'],
    );
    for (const [index, { id }] of comparison.changes.entries()) {
      const left: readonly string[] = compareRuns(mergeRuns(old, now, comparison, new Set([id])), now).changes.map(
        (one) => one.id,
      );
      const others = comparison.changes.filter((_, other) => other !== index).map((one) => one.id);
      assert.deepEqual(left, others);
    }
  });

  it('takes one of two equal edits, with what the session repeats of it', () => {
    const asked = (...weather: readonly string[]) =>
      artifactOf({
        tool_calls: weather.map((output, index) =>
          toolCallOf({ tool_name: 'weather', input: { town: index }, output }),
        ),
        session_snapshot: {
          messages: weather.map((content) => ({ role: 'tool', content, tool_calls: [], tool_call_id: null })),
        },
      } as object);
    const [old, now] = [asked('sunny', 'sunny', 'sunny'), asked('rainy', 'sunny', 'rainy')];
    const comparison = compareRuns(old, now);
    assert.deepEqual(
      comparison.changes.map(({ title, repeats }) => [title, repeats.length]),
      [
        ['Tool result', 1],
        ['Tool result', 1],
      ],
    );
    const second = new Set(comparison.changes.slice(1).map(({ id }) => id));
    const merged = mergeRuns(old, now, comparison, second);
    assert.deepEqual(merged.tool_calls, asked('sunny', 'sunny', 'rainy').tool_calls);
    assert.deepEqual(merged.session_snapshot, asked('sunny', 'sunny', 'rainy').session_snapshot);
    assert.deepEqual(
      compareRuns(merged, now).changes.map(({ id }) => id),
      comparison.changes.slice(0, 1).map(({ id }) => id),
    );
  });

  it('leaves alone what is different in every run', () => {
    const [baseline, candidate] = [
      artifactOf(),
      artifactOf({ output_text: 'bye', execution_id: 'exec-2', duration_ms: 99 }),
    ];
    const comparison = compareRuns(baseline, candidate);
    const merged = mergeRuns(baseline, candidate, comparison, new Set(comparison.changes.map(({ id }) => id)));
    assert.deepEqual(merged, { ...baseline, output_text: 'bye' });
  });
});
