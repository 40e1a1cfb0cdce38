import type { Json } from '../../json/json';

/** The ids of calls in a body below `base`. Calls have them since Gemini 3; before, some clients make up their own. */
export function geminiCallIds(base = ''): readonly string[] {
  const names = ['functionCall', 'functionResponse', 'function_call', 'function_response'];
  return names.map((name) => `${base}/contents/*/parts/*/${name}/id`);
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
