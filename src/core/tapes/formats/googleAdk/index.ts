import type { JsonNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { member } from '../../../json/readJson';
import { any } from '../../marks';
import { stringAt } from '../shared/httpTape';
import { layoutFormat } from '../shared/layoutFormat';
import { arrayNode, objectNode } from '../shared/shape';
import { usualUrlOf } from '../shared/usualUrls';

/**
 * Recordings of the Agent Development Kit's conformance tests (`generated-recordings.yaml`), which its ports to several languages write:
 * Gemini's requests and responses as the SDK has them, in snake case, and calls of tools.
 */
export const googleAdkFormat = layoutFormat({
  id: 'google-adk',
  label: 'ADK recording',
  files: ['yaml', 'yml'],
  isReadWhole: true,
  ownEndings: ['generated-recordings.yaml', 'generated-recordings-sse.yaml'],
  marks: ['recordings', any('recordings[].llm_recording', 'recordings[].tool_recording')],
  layout: {
    entries: 'recordings',
    kind: { at: 'kind', model: ['llm'], tool: ['tool'] },
    url: 'url',
    request: ['request'],
    response: ['response'],
    tool: { name: 'call.name', input: 'call.args', output: 'output' },
    // Pieces of a stream say what the whole says, which follows them.
    beside: 'kind user_message_index agent_name live_connect_config llm_responses',
  },
  join: (entries) => entries.map(asCall),
});

function asCall(entry: JsonNode): JsonNode {
  const model = member(entry, 'llm_recording');
  const tool = member(entry, 'tool_recording');
  if (model !== undefined) return modelCall(entry, model);
  if (tool === undefined) return entry;
  const response = nodeAt(tool, 'tool_response.response');
  const call = { kind: text('tool', entry), call: member(tool, 'tool_call'), output: response, tool_recording: tool };
  return objectNode(call, entry);
}

/** The configuration has the members that Gemini's API has beside the contents. */
function modelCall(entry: JsonNode, recording: JsonNode): JsonNode {
  const asked = member(recording, 'llm_request');
  const config = member(asked, 'config');
  const responses = member(recording, 'llm_responses');
  const whole = responses?.type === 'array' ? wholeResponse(responses.items) : member(recording, 'llm_response');
  const beside =
    config?.type === 'object' ? Object.fromEntries(config.members.map(({ key, value }) => [key, value])) : {};
  return objectNode(
    {
      kind: text('llm', entry),
      url: text(usualUrlOf('gemini', stringAt(asked, 'model')), entry),
      request: asked && objectNode({ ...beside, contents: member(asked, 'contents') }, asked),
      response: whole && candidate(whole),
      llm_recording: recording,
    },
    entry,
  );
}

/** A stream's pieces are followed by all of them as one. */
function wholeResponse(responses: readonly JsonNode[]): JsonNode | undefined {
  return responses.findLast((one) => member(one, 'partial') === undefined) ?? responses.at(-1);
}

function candidate(response: JsonNode): JsonNode {
  const part = (key: string): JsonNode | undefined => member(response, key);
  const only = objectNode(
    { content: part('content'), finish_reason: part('finish_reason'), avg_logprobs: part('avg_logprobs') },
    response,
  );
  const said = part('error_code');
  const error = said && objectNode({ status: said, message: part('error_message') }, response);
  const usage = part('usage_metadata');
  const version = part('model_version');
  return objectNode(
    { candidates: arrayNode([only], response), usage_metadata: usage, model_version: version, error },
    response,
  );
}

function text(value: string, { start }: JsonNode): JsonNode {
  return { type: 'string', value, start, end: start };
}
