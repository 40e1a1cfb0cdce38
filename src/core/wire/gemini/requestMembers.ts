import type { Json } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import type { RequestMembers } from '../protocol';

/** The ids of calls in a body below `base`. Calls have them since Gemini 3; before, some clients make up their own. */
export function geminiCallIds(base = ''): readonly string[] {
  const names = ['functionCall', 'functionResponse', 'function_call', 'function_response'];
  return names.map((name) => `${base}/contents/*/parts/*/${name}/id`);
}

/** The results of tools in a body below `base`. */
export function geminiResults(base = ''): readonly string[] {
  return ['functionResponse', 'function_response'].map((name) => `${base}/contents/*/parts/*/${name}`);
}

/** The members of a body below `base` at their default. Sources: https://ai.google.dev/api/generate-content, and caching#FunctionCallingConfig. */
export function geminiDefaults(base = ''): Readonly<Record<string, Json>> {
  return {
    [`${base}/generationConfig/candidateCount`]: 1,
    [`${base}/generationConfig/responseMimeType`]: 'text/plain',
    [`${base}/generationConfig/responseModalities`]: ['TEXT'],
    [`${base}/toolConfig/functionCallingConfig/mode`]: 'AUTO',
    [`${base}/generation_config/candidate_count`]: 1,
    [`${base}/generation_config/response_mime_type`]: 'text/plain',
    [`${base}/generation_config/response_modalities`]: ['TEXT'],
    [`${base}/tool_config/function_calling_config/mode`]: 'AUTO',
  };
}

/** The members of a request with these bodies, which may be in a member of the whole. */
export function geminiMembers(...base: readonly string[]): RequestMembers {
  const below = (...names: readonly string[]): JsonPath[] => names.map((name) => [...base, name]);
  return {
    system: below('systemInstruction', 'system_instruction'),
    newSystem: { path: [...base, 'systemInstruction'], value: (text) => ({ parts: [{ text }] }) },
    messages: below('contents'),
    tools: below('tools'),
    toolSettings: below('toolConfig', 'tool_config'),
    toolResults: ['response'],
  };
}
