import { asRecord } from '../../json/fields';
import { isRecord } from '../../json/json';
import type { Protocol } from '../protocol';
import { writeOpenaiError } from '../shared/errors';
import { generatedTextSites, generationStreamTextSites } from './edit';
import { generatedText, promptOf, readGenerationRequest, readGenerationResponse } from './read';
import { joinGeneratedText } from './stream';

/**
 * A prompt in, its continuation out: OpenAI's and others' `/completions`, Anthropic's `/complete`, Cohere's
 * `/generate`, Hugging Face, Replicate, watsonx, Cloudflare, llama.cpp, PaLM, and the models behind Bedrock's
 * `invoke` that take no messages. They differ in the names of their members and in little else.
 */
export const textGeneration: Protocol = {
  id: 'text-generation',
  kind: 'llm',
  endpoints: {
    own: [
      { below: 'any', paths: ['/completions', '/fim/completions'] },
      { below: 'api', paths: ['/complete'] },
    ],
    ownPattern: /\/ml\/v1\/text\/generation(_stream)?\/?$/,
    shared:
      /\/(complete|completion|generate|predictions|invocations|streams\/[^/]+)\/?$|\/ai\/run\/|\/models?\/|:(generateText|predict)$/,
    polling: /\/predictions\/[^/]+\/?$/,
    others: [
      { below: 'any', paths: ['/models/{model}/predictions', '/ai/run/{model}'] },
      { below: 'api', paths: ['/predictions', '/predictions/{id}', '/models/{model}'] },
    ],
    // Replicate, Cloudflare and Hugging Face.
    models: [/\/models\/([^/]+\/[^/]+)\/predictions$/d, /\/ai\/run\/(.+)$/d, /\/models\/(?!chat\/)([^/]+\/[^/]+)$/d],
  },
  isRequest: (body) => isRecord(body) && (promptOf(body) ?? promptOf(asRecord(body.input))) !== undefined,
  isResponse: (body) => generatedText(body) !== undefined,
  isEvent: (event) => event.event === 'output' || generatedText(event.json) !== undefined,
  members: { system: [['system']], messages: [['prompt']] },
  // https://platform.openai.com/docs/api-reference/completions/create, without those that differ between servers of this protocol.
  defaults: {
    '/best_of': 1,
    '/echo': false,
    '/frequency_penalty': 0,
    '/n': 1,
    '/presence_penalty': 0,
    '/stream': false,
  },
  readRequest: readGenerationRequest,
  readResponse: readGenerationResponse,
  joinStream: joinGeneratedText,
  writeError: writeOpenaiError,
  textSites: generatedTextSites,
  streamTextSites: generationStreamTextSites,
};
