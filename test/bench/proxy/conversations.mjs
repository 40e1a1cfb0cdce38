// Questions of 2 KB with their answers: 1.3 KB of JSON, or 50 frames of server-sent events.
const WORDS = 'The quick brown fox jumps over the lazy dog while the agent plans its next step and checks the result. ';

/** @param {number} index @param {boolean} stream */
export function question(index, stream, size = 2048) {
  const content = `Q${index}: ${WORDS.repeat(Math.ceil(size / WORDS.length))}`.slice(0, size - 200);
  return {
    model: 'gpt-4o-mini',
    messages: [
      { role: 'system', content: 'You are a careful assistant.' },
      { role: 'user', content },
    ],
    temperature: 0,
    stream,
  };
}

/** @param {number} index */
export function answer(index, sentences = 10) {
  const content = `A${index}. ${WORDS.repeat(sentences)}`;
  const usage = { prompt_tokens: 500, completion_tokens: 250, total_tokens: 750 };
  return {
    id: `chatcmpl-${index}`,
    object: 'chat.completion',
    created: 1700000000,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage,
  };
}

/** @param {number} index @returns {string[]} */
export function frames(index) {
  const pieces = [`A${index}. `, ...Array.from({ length: 48 }, (_, at) => `word${at} `)];
  const events = pieces.map((content) => ({
    id: `chatcmpl-${index}`,
    object: 'chat.completion.chunk',
    created: 1700000000,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }));
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'];
}

/** A tape in Tapedeck's format. @param {number} count @param {boolean} stream */
export function tape(count, stream, { size = 2048, sentences = 10 } = {}) {
  const lines = [{ tapedeck: 'tape', version: 1, name: 'bench' }];
  /** @type {object[]} */
  const rest = [];
  for (let index = 0; index < count; index += 1) {
    const number = index + 1;
    const url = 'https://api.openai.com/v1/chat/completions';
    rest.push({ request: number, method: 'POST', url, json: question(index, stream, size) });
    if (stream) {
      const texts = frames(index);
      const headers = [['content-type', 'text/event-stream']];
      rest.push({ response: number, status: 200, headers, frames: texts.length });
      for (const text of texts) rest.push({ after: 20, text });
    } else {
      const json = answer(index, sentences);
      const length = String(JSON.stringify(json).length);
      const headers = [
        ['content-type', 'application/json'],
        ['content-length', length],
      ];
      rest.push({ response: number, status: 200, headers, json });
    }
  }
  return [...lines, ...rest].map((line) => `${JSON.stringify(line)}\n`).join('');
}
