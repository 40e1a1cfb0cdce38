// Calls the APIs with their SDKs for JavaScript. VARIANT: same, text (another prompt), or model (another model).
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';

const { VARIANT = 'same', GOOGLE_GEMINI_BASE_URL = '', OLLAMA_HOST = '' } = process.env;
const key = { apiKey: 'stand-in' };
const prompt = (/** @type {string} */ about) =>
  `How do I get to the ${VARIANT === 'text' ? 'market' : 'harbour'} from the ${about}, please?`;
const model = (/** @type {string} */ name) => (VARIANT === 'model' ? `${name}-2099` : name);
/** @type {(about: string) => { role: 'user', content: string }[]} */
const said = (about) => [{ role: 'user', content: prompt(about) }];

const openai = new OpenAI({ maxRetries: 0, ...key });
const anthropic = new Anthropic({ maxRetries: 0, ...key });
const gemini = new GoogleGenAI({ ...key, httpOptions: { baseUrl: GOOGLE_GEMINI_BASE_URL } });
const ollama = new Ollama({ host: OLLAMA_HOST });

/** @type {Record<string, () => Promise<unknown>>} */
const calls = {
  'openai chat': () => openai.chat.completions.create({ model: model('gpt-a'), messages: said('station') }),
  'openai responses': () => openai.responses.create({ model: model('gpt-b'), input: prompt('castle') }),
  'openai embeddings': () => openai.embeddings.create({ model: model('embed-a'), input: [prompt('bridge')] }),
  'anthropic messages': () =>
    anthropic.messages.create({ model: model('claude-b'), max_tokens: 9, messages: said('library') }),
  'anthropic count_tokens': () =>
    anthropic.messages.countTokens({ model: model('claude-c'), messages: said('garden') }),
  gemini: () => gemini.models.generateContent({ model: model('gemini-a'), contents: prompt('museum') }),
  ollama: () => ollama.chat({ model: model('llama-a'), messages: said('stadium') }),
  'anthropic batches': async () => {
    const params = { model: model('claude-a'), max_tokens: 9, messages: said('bakery') };
    const made = await anthropic.messages.batches.create({ requests: [{ custom_id: 'one', params }] });
    for await (const _ of await anthropic.messages.batches.results(made.id));
  },
};

for (const [name, call] of Object.entries(calls)) {
  try {
    await call();
    console.log(`${name}\tok`);
  } catch (error) {
    console.log(`${name}\t${String(error).replaceAll('\\n', ' / ').replaceAll('\n', ' / ')}`);
  }
}
