import { type JsonRecord, prettyJson } from '../../src/core/json/json';
import type { RecordedInteraction } from '../../src/core/model/interaction';
import type { PreviousTotals } from '../../src/core/review/previousTotals';
import { tapedeckFormat } from '../../src/core/tapes/formats/tapedeck/index';

type Message = Readonly<Record<string, unknown>>;

interface Recorded {
  readonly messages: readonly Message[];
  readonly response: string;
  readonly tool_calls?: readonly unknown[];
  readonly usage?: readonly [prompt: number, completion: number];
  readonly model?: string;
}

/** A MoFA tape as text. */
export function tape(name: string, recorded: readonly Recorded[]): string {
  return prettyJson({
    version: 1,
    case_name: name,
    interactions: recorded.map(({ messages, response, tool_calls, usage, model = 'gpt-4.1-mini' }) => ({
      request: {
        messages: messages.map(message),
        model,
        temperature: 0,
        max_tokens: null,
        tool_names: ['lookup_order'],
      },
      response,
      tool_calls: tool_calls ?? [],
      usage: usage && {
        prompt_tokens: usage[0],
        completion_tokens: usage[1],
        total_tokens: usage[0] + usage[1],
      },
    })),
  });
}

function message({ role, content = null, tool_call_id = null, tool_calls = [] }: Message): Message {
  return { role, content, tool_call_id, tool_calls };
}

const SYSTEM = `You are the support agent of a small bookshop.

Answer in the language of the customer, be brief and concrete, and never promise a date that the carrier has not confirmed.
Use \`lookup_order\` before you say anything about an order. If an order cannot be found, ask for its number; do not guess.

1. Greet the customer by name when you know it.
2. State what you found.
3. Offer one next step.`;

const ANSWER = `Hello Mara, your order **#1042** left our warehouse on Tuesday and is with *Nordpost*.

| Item | Copies | Price |
|:-----|-------:|------:|
| The Left Hand of Darkness | 1 | 9.90 |
| Invisible Cities | 2 | 21.00 |

- [x] paid
- [ ] delivered

You can follow it at [Nordpost tracking](https://nordpost.example/track/NP-88231). If you call the API yourself:

\`\`\`js
const parcel = await nordpost.track('NP-88231');
console.log(parcel.status);
\`\`\`

> The carrier has not confirmed a delivery date yet.`;

const RESULT = JSON.stringify({
  id: 1042,
  status: 'shipped',
  carrier: 'Nordpost',
  tracking: 'NP-88231',
  paid: true,
  delivered_at: null,
  items: Array.from({ length: 9 }, (_, index) => ({
    sku: `BK-${300 + index}`,
    title: `Volume ${index + 1}`,
    copies: 1,
  })),
});

const lookup = { id: 'call_1', name: 'lookup_order', arguments: { order_id: 1042, fields: ['status', 'items'] } };

/** Three interactions: a tool call with its result, a Markdown response, a follow-up. */
export function ordersTape(): string {
  const asked = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: 'Hi, this is Mara. Where is my order 1042?' },
  ];
  const answered = [
    ...asked,
    { role: 'assistant', content: null, tool_calls: [lookup] },
    { role: 'tool', content: RESULT, tool_call_id: 'call_1' },
  ];
  const thanked = [
    ...answered,
    { role: 'assistant', content: ANSWER },
    { role: 'user', content: 'Thanks! Can you also check 9999?' },
  ];
  return tape('order_status', [
    { messages: asked, response: '', tool_calls: [lookup], usage: [1204, 87] },
    { messages: answered, response: ANSWER, usage: [1612, 168] },
    {
      messages: thanked,
      response: 'I could not find order 9999. Could you check its number?',
      usage: [1840, 24],
    },
  ]);
}

/** An agent that sets up an MCP server, and calls its tool for the model. */
export function mcpTape(): string {
  const exchange = (id: number, method: string, params: JsonRecord, result?: JsonRecord): RecordedInteraction => {
    const rpc = (fields: JsonRecord) => ({ jsonrpc: '2.0', ...(result && { id }), ...fields });
    const steps = result === undefined ? [] : [{ from: 'server', message: rpc({ result }), afterMs: 1 } as const];
    const timing = { durationMs: id };
    return {
      kind: 'mcp',
      timing,
      mcp: { server: 'orders', transport: 'stdio', message: rpc({ method, params }), steps },
    };
  };
  const asked = { role: 'user', content: 'Where is my order 1042?', toolCalls: [] } as const;
  const order = { order_id: 1042 };
  return tapedeckFormat.serialise('mcp', [
    exchange(1, 'initialize', { protocolVersion: '2025-11-25' }, { capabilities: {} }),
    exchange(2, 'notifications/initialized', {}),
    exchange(3, 'tools/list', {}, { tools: [] }),
    {
      request: { messages: [asked], tools: [], params: {} },
      response: { content: null, toolCalls: [{ id: 'c1', name: 'mcp__orders__lookup', arguments: order }] },
    },
    exchange(4, 'tools/call', { name: 'lookup', arguments: order }, { content: [{ type: 'text', text: RESULT }] }),
  ]);
}

/** A coding agent that uses tools which are known: a shell, an editor, a search, a fetch. */
export function codingTape(): string {
  const calls = [
    { id: 'c1', name: 'Grep', arguments: { pattern: 'parsePrice\\(', path: 'src', glob: '*.ts' } },
    { id: 'c2', name: 'Bash', arguments: { command: 'npm test -- --grep price\necho done', timeout: 120000 } },
  ];
  const edit = {
    id: 'c3',
    name: 'str_replace_based_edit_tool',
    arguments: {
      command: 'str_replace',
      path: 'src/price.ts',
      old_str: 'export function parsePrice(text: string): number {\n  return Number(text);\n}',
      new_str:
        "export function parsePrice(text: string): number {\n  const price = Number(text.replace(',', '.'));\n  return price;\n}",
    },
  };
  const read = { id: 'c4', name: 'WebFetch', arguments: { url: 'https://prices.example/format' } };
  const asked = [{ role: 'user', content: 'Prices with a comma are read as NaN.' }];
  const searched = [
    ...asked,
    { role: 'assistant', content: 'I look for it, and run its tests.', tool_calls: calls },
    { role: 'tool', tool_call_id: 'c1', content: 'src/price.ts:12:export function parsePrice(text: string): number {' },
    { role: 'tool', tool_call_id: 'c2', content: '  1 failing\n  NaN !== 1.5\ndone' },
  ];
  const edited = [
    ...searched,
    { role: 'assistant', content: null, tool_calls: [edit, read] },
    { role: 'tool', tool_call_id: 'c3', content: 'The file was edited.' },
    { role: 'tool', tool_call_id: 'c4', content: 'Prices have a comma.' },
  ];
  return tape('fix_prices', [
    { messages: asked, response: 'I look for it, and run its tests.', tool_calls: calls, usage: [300, 40] },
    { messages: searched, response: '', tool_calls: [edit, read], usage: [380, 90] },
    { messages: edited, response: 'Prices with a comma are read now.', usage: [520, 12] },
  ]);
}

/** Code in a block of an answer, in a file that is written, in one that is read, and in a command. */
export function codeTape(): string {
  const python =
    'import re\n\nclass Price:\n    """In EUR."""\n    RATE = 1.5  # a rate\n\n    def parse(self, text: str) -> float:\n        return float(re.sub(r",", ".", text)) if text else None';
  const calls = [
    { id: 'c1', name: 'Write', arguments: { file_path: 'src/price.py', content: python } },
    { id: 'c2', name: 'Read', arguments: { file_path: 'src/main.go' } },
    { id: 'c3', name: 'Bash', arguments: { command: 'for f in *.py; do python "$f" || exit 1; done # all' } },
  ];
  const typescript = '// The price of an order\nexport const price: Map<string, number> = new Map([["a", 1.5]]);';
  const answer = `Like this:\n\n\`\`\`ts\n${typescript}\n\`\`\`\n\nand this:\n\n\`\`\`html\n<a href="x" class="b">text</a>\n\`\`\`\n\nand this, in no known language:\n\n\`\`\`brainfuck\n+++\n\`\`\``;
  const go = 'package main\n\nfunc main() {\n\tvar n int = 3 // three\n\tprintln("n", n, true)\n}';
  const asked = [{ role: 'user', content: 'Write it in `code`.' }];
  const called = [
    ...asked,
    { role: 'assistant', content: null, tool_calls: calls },
    { role: 'tool', tool_call_id: 'c1', content: 'The file was written.' },
    { role: 'tool', tool_call_id: 'c2', content: go },
    { role: 'tool', tool_call_id: 'c3', content: 'done' },
  ];
  return tape('code', [
    { messages: asked, response: '', tool_calls: calls, usage: [300, 40] },
    { messages: called, response: answer, usage: [380, 90] },
  ]);
}

/** Everything that a recorded text could try. */
export const HOSTILE = [
  '<script>window.pwned = "script"</script>',
  '<img src=x onerror="window.pwned = \'onerror\'">',
  '<svg onload="window.pwned=1"><a xlink:href="javascript:window.pwned=1">x</a></svg>',
  '<iframe src="https://evil.example/frame"></iframe><link rel=stylesheet href="https://evil.example/s.css">',
  '<!-- a comment --><style>@import "https://evil.example/i.css";</style><meta http-equiv=refresh content="0;url=https://evil.example">',
  '[run](javascript:window.pwned=1) [data](data:text/html,<script>window.pwned=1</script>) [cmd](command:workbench.action.quit) [file](file:///etc/passwd) [vs](vscode://x/y)',
  '![pixel](https://evil.example/pixel.png "t") ![data](data:image/svg+xml;base64,PHN2Zz4=) [![both](https://evil.example/b.png)](https://evil.example/b)',
  '[ref] and [safe link](https://docs.example/page?a=1&b="2" "a title") and <https://auto.example> and www.bare.example',
  '\n[ref]: javascript:window.pwned=2\n',
  '<form action="https://evil.example"><button autofocus onfocus="window.pwned=3">x</button></form>',
  '" onmouseover="window.pwned=4" x="',
  '&#x3C;script&#x3E;window.pwned=5&#x3C;/script&#x3E;',
].join('\n\n');

/** The same texts in every place of a tape that has text. */
export function hostileTape(): string {
  const call = { id: HOSTILE, name: HOSTILE, arguments: { text: HOSTILE } };
  return tape(HOSTILE, [
    {
      messages: [
        { role: 'system', content: HOSTILE },
        { role: HOSTILE, content: HOSTILE },
        { role: '__proto__', content: '> '.repeat(5000) },
      ],
      response: HOSTILE,
      tool_calls: [call],
      model: HOSTILE,
      usage: [1, 1],
    },
    {
      messages: [{ role: 'tool', content: HOSTILE, tool_call_id: HOSTILE }],
      response: '',
      tool_calls: [{ id: 'b', name: 'constructor', arguments: HOSTILE }],
    },
  ]);
}

/** A tape of `count` interactions with two entries each. */
export function longTape(interactions: number): string {
  return tape(
    'long_story',
    Array.from({ length: interactions }, (_, index) => ({
      messages: [{ role: 'user', content: `Question **number ${index + 1}**: what is ${index} times ${index}?` }],
      response: `It is \`${index * index}\`.\n\n${'A sentence that fills the line with *something*. '.repeat(1 + (index % 7))}`,
      usage: [100 + index, 10 + (index % 50)] as const,
    })),
  );
}

/** The previous totals of `ordersTape`, whose second interaction is new. */
export const EARLIER: PreviousTotals = {
  totals: { interactions: 2, 'tool calls': 1, 'tokens in': 3044, 'tokens out': 140, cost: 0.0015 },
  interactions: [
    { 'tokens in': 1204, 'tokens out': 99, cost: 0.0007, latency: 100 },
    null,
    { 'tokens in': 1840, 'tokens out': 24 },
  ],
};
