import assert from 'node:assert/strict';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { type AgentNode, agentTree, countLanes } from '../../../../src/core/transcript/agents/agentTree';
import { timeScale } from '../../../../src/core/transcript/agents/timeScale';
import { readTranscript } from '../../../../src/core/transcript/transcriptReader';
import { otlp, type SampleSpan } from '../../tapes/formats/traceSamples';

const summariesOf = (text: string) => readTranscript(tapeFileFromText(text))?.interactions ?? assert.fail('no tape');

const drawn = (nodes: readonly AgentNode[], depth = 0): string[] =>
  nodes.flatMap(({ kind, name, calls, failed, children }) => [
    `${'  '.repeat(depth)}${kind} ${name}${calls > 1 ? ` ${calls}` : ''}${failed > 0 ? ` failed ${failed}` : ''}`,
    ...drawn(children, depth + 1),
  ]);

const chat = (id: string, parent: string, second: number, more: Partial<SampleSpan> = {}): SampleSpan => ({
  id,
  parent,
  name: 'chat',
  second,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `ask ${id}` }] }]),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'ok' }] }]),
  },
  ...more,
});
const agent = (id: string, parent: string | undefined, name: string): SampleSpan => ({
  id,
  ...(parent !== undefined && { parent }),
  name,
  second: 1,
  attributes: { 'gen_ai.operation.name': 'invoke_agent' },
});

describe('the tree of agents', () => {
  const spans = [
    agent('00', undefined, 'workflow'),
    agent('01', '00', 'planner'),
    agent('02', '01', 'researcher'),
    agent('03', '01', 'researcher'),
    chat('11', '01', 10),
    chat('12', '02', 12),
    chat('13', '03', 12, { error: 'busy' }),
    chat('14', '02', 13),
    chat('15', '01', 50),
  ];

  it('has the agents of a trace, also two of one name that ran side by side', () => {
    const summaries = summariesOf(JSON.stringify(otlp(...spans)));
    const { nodes, isTimed, place } = agentTree(summaries);
    assert.deepEqual(drawn(nodes), [
      'agent planner 5 failed 1',
      '  call ask 11',
      '  agent researcher 2',
      '    call ask 12',
      '    call ask 14',
      '  agent researcher failed 1',
      '    call ask 13 failed 1',
      '  call ask 15',
    ]);
    assert.equal(countLanes(summaries), 3);
    assert.ok(isTimed);
    const planner = nodes[0] ?? assert.fail();
    assert.deepEqual([place(planner.start), place(planner.end)], [0, 1]);
    const [, first, second] = planner.children;
    assert.equal(first?.start, second?.start, 'in parallel');
  });

  it('names a step once, and says of each interaction in which it is', () => {
    const summaries = summariesOf(JSON.stringify(otlp(...spans)));
    assert.deepEqual(
      summaries.map(({ lane, opens = [] }) => [lane, opens.map(({ name }) => name).join()]),
      [
        [1, 'workflow,planner'],
        [2, 'researcher'],
        [3, 'researcher'],
        [2, ''],
        [1, ''],
      ],
    );
  });

  it('has the subagents of a session of Claude Code by the names that they were started with', () => {
    const line = (type: string, content: unknown, uuid: string, parentUuid: string | null, more = {}) => ({
      ...{ parentUuid, isSidechain: false, sessionId: 's', type, uuid, timestamp: '2026-01-01T00:00:05Z' },
      message: { role: type, id: `m-${uuid}`, content },
      ...more,
    });
    const side = { isSidechain: true };
    const input = { subagent_type: 'Explore', description: 'find the bug', prompt: 'Find it.' };
    const lines = [
      line('user', 'go', 'a', null),
      line('assistant', [{ type: 'tool_use', id: 't', name: 'Task', input }], 'b', 'a'),
      line('user', 'Find it.', 'c', null, side),
      line('assistant', [{ type: 'text', text: 'here' }], 'd', 'c', side),
      line('user', [{ type: 'tool_result', tool_use_id: 't', content: 'here' }], 'e', 'b'),
      line('assistant', [{ type: 'text', text: 'done' }], 'f', 'e'),
    ];
    const summaries = summariesOf(lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
    assert.deepEqual(drawn(agentTree(summaries, { recordsEnd: true }).nodes), [
      'call Task',
      'agent Explore: find the bug',
      '  call Find it.',
      'call done',
    ]);
    assert.equal(countLanes(summaries), 2);
  });

  it('has the spans of an Inspect log', () => {
    const model = (span_id: string, text: string) => ({
      event: 'model',
      span_id,
      model: 'm',
      input: [{ role: 'user', content: text }],
      output: { choices: [{ message: { role: 'assistant', content: 'ok' } }] },
    });
    const span = (id: string, parent_id: string | null, name: string) => ({ event: 'span_begin', id, parent_id, name });
    const events = [span('1', null, 'solvers'), span('2', '1', 'react'), span('3', '2', 'helper')];
    const sample = { id: 1, epoch: 1, events: [...events, model('2', 'one'), model('3', 'two'), model('2', 'three')] };
    const log = { version: 2, status: 'success', eval: { task: 't' }, samples: [sample] };
    assert.deepEqual(drawn(agentTree(summariesOf(JSON.stringify(log))).nodes), [
      'agent react 3',
      '  call one',
      '  agent helper',
      '    call two',
      '  call three',
    ]);
  });

  it('has the conversations of a Codex rollout: it begins anew where its history was compacted', () => {
    const message = (role: string, text: string) => ({
      type: 'response_item',
      payload: { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
    });
    const lines = [
      { type: 'session_meta', payload: { id: 's', instructions: 'Be brief.' } },
      ...[message('user', 'Fix the bug.'), message('assistant', 'I look.'), message('user', 'Well?')],
      ...[message('assistant', 'Fixed.'), { type: 'compacted', payload: { message: 'The bug was fixed.' } }],
      ...[message('user', 'Now the docs.'), message('assistant', 'Done.')],
    ];
    const text = lines.map((line, at) => {
      const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();
      return `${JSON.stringify({ timestamp, ...line })}\n`;
    });
    const summaries = summariesOf(text.join(''));
    assert.deepEqual(drawn(agentTree(summaries, { recordsEnd: true }).nodes), [
      'conversation Fix the bug. 2',
      '  call Fix the bug.',
      '  call Well?',
      'conversation Now the docs.',
      '  call Now the docs.',
    ]);
  });

  it('has the conversations of any other tape, in their order', () => {
    const turn = (content: string) => ({
      request: { messages: [{ role: 'user', content }], model: 'm', tool_names: [] },
      response: `re: ${content}`,
      tool_calls: [],
      usage: null,
    });
    const summaries = summariesOf(
      JSON.stringify({ version: 1, case_name: 'two', interactions: [turn('first'), turn('second')] }),
    );
    const { nodes, isTimed, place } = agentTree(summaries);
    assert.deepEqual(drawn(nodes), ['conversation first', '  call first', 'conversation second', '  call second']);
    assert.deepEqual(
      [isTimed, nodes.map(({ start, end }) => [place(start), place(end)])],
      [
        false,
        [
          [0, 0.5],
          [0.5, 1],
        ],
      ],
    );
  });

  it('stays flat enough for a trace that nests without end', () => {
    const numbers = {};
    const entries = [] as const;
    const summaries = Array.from({ length: 5000 }, (_, index) => ({
      ...{ index, kind: 'llm' as const, title: `${index}`, repeated: 0, changes: 0, failed: false, numbers, entries },
      lane: index,
      opens: [{ id: index, ...(index > 0 && { parent: index - 1 }), name: 'deeper' }],
    }));
    assert.equal(agentTree(summaries).nodes[0]?.calls, 5000);
  });
});

describe('the scale of times', () => {
  it('shortens pauses, and keeps the order', () => {
    const place = timeScale([
      { start: 0, end: 10 },
      { start: 5, end: 20 },
      { start: 1_000_000, end: 1_000_080 },
    ]);
    assert.equal(place?.(0), 0);
    assert.equal(place?.(1_000_080), 1);
    assert.ok((place?.(20) ?? 0) > 0.19 && (place?.(1_000_000) ?? 1) < 0.22);
  });

  it('is none where nothing took any time', () => {
    assert.equal(timeScale([]), undefined);
    assert.equal(timeScale([{ start: 3, end: 3 }]), undefined);
  });
});
