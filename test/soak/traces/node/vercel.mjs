// The AI SDK with its telemetry, exported as OTLP JSON to a file.
import { appendFileSync } from 'node:fs';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import * as ai from 'ai';
import { z } from 'zod';

const OUT = process.env.OUT;
const exporter = {
  export(spans, done) {
    appendFileSync(OUT, `${Buffer.from(JsonTraceSerializer.serializeRequest(spans)).toString('utf8')}\n`);
    done({ code: 0 });
  },
  shutdown: async () => {},
};
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
const known = await import('@ai-sdk/otel').catch(() => undefined);
if (known !== undefined && ai.registerTelemetry) ai.registerTelemetry(new known.OpenTelemetry());
const upstream = createOpenAICompatible({
  name: 'upstream',
  baseURL: `${process.env.UPSTREAM}/v1`,
  includeUsage: true,
});
const model = upstream('gpt-4o-mini');
const telemetry = { isEnabled: true, functionId: 'forecast' };
const get_weather = ai.tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, celsius: 21.5 }),
});
const settings = { experimental_telemetry: telemetry, telemetry, maxRetries: 0 };
await ai.generateText({
  ...settings,
  model,
  ...(known === undefined
    ? { system: 'You are a forecaster. Be brief.' }
    : { instructions: 'You are a forecaster. Be brief.' }),
  prompt: 'What is the weather in "São Paulo"?\nAnswer in °C.',
  tools: { get_weather },
  stopWhen: (ai.stepCountIs ?? ai.isStepCount)(3),
  temperature: 0.5,
  maxOutputTokens: 200,
});
const { textStream } = ai.streamText({ ...settings, model, prompt: 'Count to three.' });
for await (const _ of textStream);
await ai
  .generateText({ ...settings, model: upstream('broken'), prompt: 'Fail.' })
  .catch((error) => console.log(error.name));
await provider.forceFlush();
