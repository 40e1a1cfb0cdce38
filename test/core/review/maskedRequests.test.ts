import assert from 'node:assert/strict';
import type { Artifact } from '../../../src/core/model/artifact';
import { compareRuns } from '../../../src/core/review/compare/compareRuns';

/** A run whose only request has this text, and whose agent responded with `output`. */
function run(prompt: string, output: string, masks?: readonly string[], more: readonly string[] = []): Artifact {
  const message = (role: string, content: string) => ({ role, content, tool_call_id: null, tool_calls: [] });
  return {
    case_name: 'report',
    status: 'passed',
    output_text: output,
    runner_error: null,
    duration_ms: 1,
    started_at_ms: 1,
    execution_id: 'e',
    session_id: 's',
    workspace_root: '',
    agent: { id: 'a', name: 'agent' },
    assertions: [],
    tool_calls: [],
    llm_request: {
      model: null,
      messages: [message('system', 'Be brief.'), message('user', prompt), ...more.map((text) => message('user', text))],
      tool_names: [],
    },
    llm_response: { content: output, tool_calls: [], usage: null },
    session_snapshot: { messages: [message('user', prompt), message('assistant', output)] },
    workspace_before: { files: [] },
    workspace_after: { files: [] },
    tapedeck: { mode: 'replay', ...(masks && { masks }) },
  } as unknown as Artifact;
}

const OLD = run('Today is 2026-11-22. Any news?', 'None.');

describe('the comparison of a replay with masks', () => {
  it('ignores in the request what the masks cover', () => {
    const { changes, hidden } = compareRuns(OLD, run('Today is 2026-11-23. Any news?', 'None.', ['date']));
    assert.deepEqual(changes, []);
    assert.ok(hidden.some(({ rules }) => rules.includes('mask')));
    const byPath = run('Today is Monday. Any news?', 'None.', ['/messages/1/content']);
    assert.deepEqual(compareRuns(OLD, byPath).changes, []);
  });

  it('ignores there what only one of the runs has', () => {
    const longer = (masks: readonly string[]) => run('Today is 2026-11-22. Any news?', 'None.', masks, ['At noon.']);
    assert.equal(compareRuns(OLD, longer([])).changes.length, 1);
    assert.deepEqual(compareRuns(OLD, longer(['/messages/2'])).changes, []);
    assert.equal(compareRuns(OLD, longer(['/messages/2/content'])).changes.length, 1);
  });

  it('shows what else differs there, and every change of a response', () => {
    const titles = (now: Artifact): readonly string[] => compareRuns(OLD, now).changes.map(({ title }) => title);
    assert.equal(titles(run('Today is 2026-11-23. Any news?', 'None.')).length, 1);
    assert.equal(titles(run('Today is 2026-11-23. No news?', 'None.', ['date'])).length, 1);
    const dated = compareRuns(run('a', 'On 2026-11-22.'), run('a', 'On 2026-11-23.', ['date']));
    assert.ok(dated.changes.length > 0);
  });
});
