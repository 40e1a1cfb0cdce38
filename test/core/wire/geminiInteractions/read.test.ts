import assert from 'node:assert/strict';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, post, sse, textBody } from '../exchanges';

describe('Gemini Interactions', () => {
  const INTERACTIONS = 'https://generativelanguage.googleapis.com/v1beta/interactions';

  it('reads steps as messages', () => {
    const { api, request } = readExchange(
      post(
        INTERACTIONS,
        {
          model: 'gemini-3-flash',
          system_instruction: 'Be brief.',
          generation_config: { tool_choice: 'any' },
          input: [
            { type: 'user_input', content: [{ type: 'text', text: 'Add' }] },
            { type: 'thought', signature: 'sig' },
            { type: 'function_call', id: 'c', name: 'add', arguments: { x: 1 } },
            { type: 'function_result', call_id: 'c', name: 'add', result: [{ type: 'text', text: '3' }] },
          ],
          tools: [{ type: 'function', name: 'add', parameters: {} }],
        },
        jsonBody({
          object: 'interaction',
          status: 'completed',
          steps: [{ type: 'model_output', content: [{ type: 'text', text: '3' }] }],
        }),
      ),
    );
    assert.equal(api, 'gemini-interactions');
    assert.deepEqual(request, {
      model: 'gemini-3-flash',
      messages: [
        { role: 'system', content: 'Be brief.', toolCalls: [] },
        { role: 'user', content: 'Add', toolCalls: [] },
        {
          role: 'assistant',
          content: null,
          parts: [{ type: 'reasoning', text: '', encrypted: true, signature: 'sig' }],
          toolCalls: [{ id: 'c', name: 'add', arguments: { x: 1 } }],
        },
        { role: 'tool', content: '3', toolCalls: [], toolCallId: 'c', name: 'add' },
      ],
      tools: [{ name: 'add', schema: {} }],
      params: { tool_choice: 'any' },
    });
  });

  it('joins a stream', () => {
    const stream = sse(
      {
        event_type: 'interaction.created',
        interaction: { id: 'v1', model: 'gemini-3', object: 'interaction', status: 'in_progress' },
      },
      { event_type: 'step.start', index: 0, step: { type: 'thought' } },
      { event_type: 'step.delta', index: 0, delta: { type: 'thought_signature', signature: 'sig' } },
      { event_type: 'step.start', index: 1, step: { type: 'model_output' } },
      { event_type: 'step.delta', index: 1, delta: { type: 'text', text: 'Hel' } },
      { event_type: 'step.delta', index: 1, delta: { type: 'text', text: 'lo' } },
      { event_type: 'step.start', index: 2, step: { type: 'function_call', id: 'c', name: 'add', arguments: {} } },
      { event_type: 'step.delta', index: 2, delta: { type: 'arguments_delta', arguments: '{"x":' } },
      { event_type: 'step.delta', index: 2, delta: { type: 'arguments_delta', arguments: '2}' } },
      {
        event_type: 'interaction.completed',
        interaction: {
          status: 'requires_action',
          usage: { total_input_tokens: 5, total_output_tokens: 3, total_thought_tokens: 2, total_tokens: 10 },
        },
      },
      '[DONE]',
    );
    const { response } = readExchange(post(INTERACTIONS, { input: 'x', generation_config: {} }, textBody(stream)));
    const { chunks: _, ...rest } = response ?? {};
    assert.deepEqual(rest, {
      content: 'Hello',
      parts: [
        { type: 'reasoning', text: '', encrypted: true, signature: 'sig' },
        { type: 'text', text: 'Hello' },
      ],
      toolCalls: [{ id: 'c', name: 'add', arguments: { x: 2 }, argumentsText: '{"x":2}' }],
      model: 'gemini-3',
      usage: { promptTokens: 5, completionTokens: 5, totalTokens: 10, reasoningTokens: 2 },
      finishReason: 'requires_action',
    });
  });
});
