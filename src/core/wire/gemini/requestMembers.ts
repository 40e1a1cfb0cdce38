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

/** Sources: https://ai.google.dev/api/generate-content, and caching#FunctionCallingConfig. */
const DEFAULTS: Readonly<Record<string, Json>> = {
  '/generationConfig/candidateCount': 1,
  '/generationConfig/frequencyPenalty': 0,
  '/generationConfig/mediaResolution': 'MEDIA_RESOLUTION_UNSPECIFIED',
  '/generationConfig/presencePenalty': 0,
  '/generationConfig/responseLogprobs': false,
  '/generationConfig/responseMimeType': 'text/plain',
  '/generationConfig/responseModalities': ['TEXT'],
  '/generationConfig/thinkingConfig': {},
  '/generationConfig/thinkingConfig/includeThoughts': false,
  '/toolConfig/functionCallingConfig/mode': 'AUTO',
};

/** The members of a body below `base` at their default, in both writings of their names. */
export function geminiDefaults(base = ''): Readonly<Record<string, Json>> {
  const snakeCase = (pointer: string): string => pointer.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(
    Object.entries(DEFAULTS).flatMap(([pointer, value]) =>
      [pointer, snakeCase(pointer)].map((written) => [`${base}${written}`, value]),
    ),
  );
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
