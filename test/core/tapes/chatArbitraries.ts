import fc from 'fast-check';
import type { ChatRequest, ChatResponse, Message, ToolCall } from '../../../src/core/model/message';
import type { Usage } from '../../../src/core/model/usage';

/** Requests and responses as far as a MoFA tape can carry them. */
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.bigInt({ min: 2n ** 63n, max: 2n ** 64n - 1n }),
) as fc.Arbitrary<ToolCall['arguments']>;
const u32 = fc.nat(4_294_967_295);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const toolCall: fc.Arbitrary<ToolCall> = fc.record({ id: fc.string(), name: fc.string(), arguments: json });

const message: fc.Arbitrary<Message> = fc
  .record({
    role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'developer'),
    content: fc.option(fc.string({ unit: 'binary' })),
    toolCalls: fc.array(toolCall, { maxLength: 2 }),
    toolCallId: maybe(fc.string()),
  })
  .map(withoutUndefined);

const request: fc.Arbitrary<ChatRequest> = fc
  .record({
    model: maybe(fc.string()),
    messages: fc.array(message, { maxLength: 4 }),
    tools: fc.array(fc.record({ name: fc.string() }), { maxLength: 3 }),
    params: fc
      .record({ temperature: maybe(fc.constantFrom(0, 0.7, 1, 1.5)), max_tokens: maybe(u32) })
      .map(withoutUndefined),
  })
  .map(withoutUndefined);

const usage: fc.Arbitrary<Usage> = fc.record({ promptTokens: u32, completionTokens: u32, totalTokens: u32 });

const response: fc.Arbitrary<ChatResponse> = fc
  .record({
    content: fc.string({ unit: 'binary' }),
    toolCalls: fc.array(toolCall, { maxLength: 3 }),
    usage: maybe(usage),
  })
  .map(withoutUndefined);

/** One interaction without its place. */
export const exchange: fc.Arbitrary<{ request?: ChatRequest; response: ChatResponse }> = fc
  .record({ request: maybe(request), response })
  .map(withoutUndefined);

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** An absent property is absent, not undefined. */
function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
}
