import { asRecord, asRecords, isBlank } from '../../json/fields';
import { isRecord, type JsonRecord } from '../../json/json';
import type { Protocol } from '../protocol';
import { blankGeminiBodies, geminiStreamTextSites, geminiTextSites, unstreamedGeminiUrl } from './edit';
import { writeGoogleError } from './errors';
import { camelOrSnake } from './parts';
import { readGeminiRequest, readGeminiResponse } from './read';
import { geminiCallIds, geminiDefaults, geminiMembers, geminiResults } from './requestMembers';
import { joinCandidates } from './stream';

/** Google's `generateContent`, of the Gemini API and of Vertex AI, in camel case or snake case. */
export const gemini: Protocol = {
  id: 'gemini',
  kind: 'llm',
  endpoints: {
    own: [{ below: 'any', paths: ['/models/{model}:generateContent', '/models/{model}:streamGenerateContent'] }],
    // Vertex serves tuned models below `/endpoints`.
    ownPattern: /:(stream)?generatecontent$/i,
    others: [
      {
        below: 'any',
        paths: [
          '/models/{model}:countTokens',
          '/models/{model}:batchGenerateContent',
          '/models/{model}:predictLongRunning',
        ],
      },
      { below: 'api', paths: ['/cachedContents', '/cachedContents/{id}'] },
    ],
    models: [/\/models\/([^/:]+):/d],
  },
  isRequest: (body) => isRecord(body) && !isBlank(body.contents) && !('instances' in body),
  isResponse: (body) => isRecord(body) && (isCandidates(body) || isBlocked(body)),
  isEvent: ({ json }) => isCandidates(json) || 'usageMetadata' in json || 'usage_metadata' in json,
  endsStream: ({ json }) => asRecords(json.candidates).some(isFinished) || isBlocked(json),
  members: geminiMembers(),
  cache: { isAutomatic: true },
  callIds: geminiCallIds(),
  // In `error` of a result: https://ai.google.dev/api/caching#FunctionResponse
  marksToolErrors: true,
  results: geminiResults(),
  defaults: geminiDefaults(),
  readRequest: readGeminiRequest,
  readResponse: readGeminiResponse,
  joinStream: joinCandidates,
  writeError: writeGoogleError,
  textSites: geminiTextSites,
  streamTextSites: geminiStreamTextSites,
  blankBodies: blankGeminiBodies,
  unstreamedUrl: unstreamedGeminiUrl,
};

/** Other protocols have candidates too, but not with these members. */
function isCandidates({ candidates }: JsonRecord): boolean {
  return asRecords(candidates).some((candidate) => 'content' in candidate || 'finishReason' in candidate);
}

function isFinished(candidate: JsonRecord): boolean {
  return !isBlank(camelOrSnake(candidate, 'finishReason'));
}

function isBlocked(response: JsonRecord): boolean {
  return !isBlank(asRecord(camelOrSnake(response, 'promptFeedback')).blockReason);
}
