import { otlp, type SampleSpan } from '../core/tapes/formats/traceSamples';

const agent = (id: string, parent: string | undefined, name: string): SampleSpan => ({
  id,
  ...(parent !== undefined && { parent }),
  name,
  second: 10,
  attributes: { 'gen_ai.operation.name': 'invoke_agent' },
});

const chat = (id: string, parent: string, second: number, asked: string, error?: string): SampleSpan => ({
  id,
  parent,
  name: 'chat',
  second,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4.1-mini',
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: asked }] }]),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: `Done: ${asked.toLowerCase()}` }] },
    ]),
  },
  ...(error !== undefined && { error }),
});

/** A trace of a planner that has two subagents work side by side, one of which fails, and hands over to a writer. */
export function agentsTape(): string {
  const spans = [
    agent('00', undefined, 'trip'),
    agent('01', '00', 'planner'),
    agent('02', '01', 'flight researcher'),
    agent('03', '01', 'hotel researcher'),
    agent('04', '00', 'writer'),
    chat('11', '01', 10, 'Plan a trip to Lisbon'),
    chat('12', '02', 11, 'Find flights in May'),
    chat('13', '03', 11, 'Find hotels near the river'),
    chat('14', '02', 12, 'Compare the three cheapest flights'),
    chat('15', '03', 12, 'Check the prices', 'the booking service is busy'),
    chat('16', '01', 13, 'Choose one of each'),
    chat('17', '04', 14, 'Write the summary for the customer'),
  ];
  return JSON.stringify(otlp(...spans));
}

/** Many calls of an agent, and one of another. */
export function manyCallsTape(calls: number): string {
  const own = Array.from({ length: calls }, (_, index) => chat(`c${index}`, '01', 10, `Step ${index + 1}`));
  return JSON.stringify(
    otlp(agent('01', undefined, 'worker'), agent('02', undefined, 'judge'), ...own, chat('f', '02', 11, 'Judge it')),
  );
}
