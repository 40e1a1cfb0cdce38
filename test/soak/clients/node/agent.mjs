// Asks an API by its own address, with the client that is named, and prints the answer. It runs beside the packages.
import https from 'node:https';

const QUESTION = 'How is the weather in Berlin?';
const FORECAST = 'https://api.weather.test/forecast?city=Berlin';
/** @type {{ role: 'user', content: string }[]} */
const TURNS = [{ role: 'user', content: QUESTION }];

/** @type {Record<string, () => Promise<unknown>>} */
const clients = {
  openai: async () => {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({ maxRetries: 0 });
    return (await client.chat.completions.create({ model: 'gpt-4o-mini', messages: TURNS })).choices[0]?.message
      .content;
  },
  '@anthropic-ai/sdk': async () => {
    const { default: Anthropic } = await import('@anthropic-ai/sdk');
    const client = new Anthropic({ maxRetries: 0 });
    const { content } = await client.messages.create({ model: 'claude-opus-4-6', max_tokens: 99, messages: TURNS });
    return content[0]?.type === 'text' ? content[0].text : undefined;
  },
  ai: async () => {
    const [{ generateText }, { openai }] = await Promise.all([import('ai'), import('@ai-sdk/openai')]);
    return (await generateText({ model: openai.chat('gpt-4o-mini'), prompt: QUESTION, maxRetries: 0 })).text;
  },
  '@google/genai': async () => {
    const { GoogleGenAI } = await import('@google/genai');
    const client = new GoogleGenAI({});
    return (await client.models.generateContent({ model: 'gemini-2.5-flash', contents: QUESTION })).text;
  },
  fetch: async () => (await fetch(FORECAST)).text(),
  undici: async () => {
    const { request } = await import('undici');
    return (await request(FORECAST)).body.text();
  },
  'node:https': () =>
    new Promise((resolve, reject) => {
      https
        .get(FORECAST, (response) => {
          let text = '';
          response.on('data', (piece) => {
            text += piece;
          });
          response.on('end', () => resolve(text));
        })
        .on('error', reject);
    }),
  axios: async () => {
    const { default: axios } = await import('axios');
    return (await axios.get(FORECAST, { responseType: 'text' })).data;
  },
};

console.log(await clients[process.argv[2] ?? '']?.());
