import assert from 'node:assert/strict';
import { caseOfRun } from '../../../../src/core/cases/toml/caseOfRun';
import { readCase } from '../../../../src/core/cases/toml/readCase';
import { readTape } from '../../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { ANSWER, genAi, otlp, QUESTION, type SampleSpan, traceFiles } from '../../tapes/formats/traceSamples';

describe('a case of a traced run', () => {
  const made = (value: unknown): ReturnType<typeof caseOfRun> => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const tape = readTape(tapeFileFromText(text, 'trace.json'));
    return tape && caseOfRun(tape, { name: 'order', tape: 'order.tape.jsonl' });
  };

  it('has the prompt, the system prompt, the tools with their results, and the model', () => {
    for (const { path, text } of traceFiles) {
      const { value, problems } = readCase(made(text)?.toml ?? '');
      assert.deepEqual(problems, [], path);
      assert.deepEqual([value?.prompt, value?.agent.system], [QUESTION, 'Be brief.'], path);
      assert.equal(value?.llm.provider?.model, 'gpt-4o-mini', path);
      const [tool, ...others] = value?.tools ?? [];
      assert.deepEqual([tool?.name, others.length], ['find_order', 0], path);
      if (!/^phoenix/.test(path)) assert.deepEqual(tool?.result, { state: 'shipped' }, path);
    }
  });

  it('has requests as the built-in agent sends them, and says what is left out of them', () => {
    const { interactions = [], lacks } = made(genAi) ?? {};
    assert.deepEqual(
      interactions.map(({ request, response }) => [
        Object.keys(request?.params ?? {}),
        request?.messages.length,
        response?.content,
      ]),
      [
        [[], 2, null],
        [[], 4, ANSWER],
      ],
    );
    assert.deepEqual(lacks, ['not in the requests of the built-in agent, which does not send it: temperature']);
  });

  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi."}]}]',
    'gen_ai.output.messages':
      '[{"role":"assistant","parts":[{"type":"tool_call","id":"c1","name":"look","arguments":{"at":1}}]}]',
  };
  const call = (fields: Partial<SampleSpan>): SampleSpan => ({
    id: 'a1',
    name: 'chat',
    second: 1,
    attributes,
    ...fields,
  });
  const look = (id: string, second: number, args: string, result: string): SampleSpan =>
    call({
      id,
      second,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'look',
        'gen_ai.tool.call.arguments': args,
        'gen_ai.tool.call.result': result,
      },
    });

  it('says which definitions, prompts, and results the trace lacks, and which calls are no part of it', () => {
    const other = call({
      id: 'a2',
      second: 2,
      attributes: { ...attributes, 'gen_ai.input.messages': '[{"role":"user","content":"Else."}]' },
    });
    const { toml = '', lacks } = made(otlp(call({}), other)) ?? {};
    assert.deepEqual(lacks, [
      'the trace has no system prompt: that of the case is empty',
      'the trace has no definition of look: its schema in the case is empty',
      'the trace has no result of look: it returns an empty object',
      '1 other call of a model is left out: it does not continue the conversation',
    ]);
    assert.equal(readCase(toml).value?.agent.system, '');
  });

  it('has a result of a tool for each of the arguments that it was called with', () => {
    const { toml = '' } =
      made(otlp(call({}), look('b1', 2, '{"at":1}', '{"is":"one"}'), look('b2', 3, '{"at":2}', 'two'))) ?? {};
    const [tool] = readCase(toml).value?.tools ?? [];
    assert.deepEqual(tool?.results, [
      { arguments: { at: 1 }, output: { is: 'one' } },
      { arguments: { at: 2 }, output: 'two' },
    ]);
  });

  it('is none where the run has no prompt', () => {
    assert.equal(made(otlp(look('b1', 2, '{}', ''))), undefined);
    assert.equal(
      made(otlp(call({ attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' } }))),
      undefined,
    );
  });
});
