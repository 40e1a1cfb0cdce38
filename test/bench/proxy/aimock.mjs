// aimock with a fixture for each question.
import { LLMock } from '@copilotkit/aimock';
import { answer, frames } from './conversations.mjs';

const count = Number(process.argv[2]);
const stream = process.argv[3] === 'stream';
const mock = new LLMock({ port: 0 });
for (let index = 0; index < count; index += 1) {
  const content = stream
    ? frames(index)
        .slice(0, -1)
        .map((frame) => JSON.parse(frame.slice(6)).choices[0].delta.content)
        .join('')
    : answer(index).choices[0].message.content;
  mock.on({ userMessage: `Q${index}: ` }, { content });
}
await mock.start();
console.log(`${mock.url}/v1/chat/completions`);
