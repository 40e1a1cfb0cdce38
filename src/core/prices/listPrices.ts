// Written by test/harness/listPrices.mjs from @pydantic/genai-prices 0.1.8 (MIT), published on 2026-09-23.

/**
 * List prices of the providers for pay-as-you-go text tokens, in US dollars per million tokens: input, output, cached input,
 * and input written to the cache; h is kept there for an hour, r reasoning, q a thousand requests; after > the prices of
 * a request with more input tokens than that. Then the models, without date and version. Other models have no cost, and what
 * batches, priority, audio, and searches cost is not included.
 */
export const LIST_PRICES = `
0.4 0.4: ada text-ada-001
0.06 0.24 0.015: amazon.nova-lite
0.035 0.14 0.00875: amazon.nova-micro
2.5 12.5 0.625: amazon.nova-premier
0.8 3.2 0.2: amazon.nova-pro
0.1 0: amazon.titan-embed-text text-embedding-ada text-embedding-ada-002 voyage-01 voyage-02 voyage-2 voyage-lite-01 voyage-lite-01-instruct voyage-lite-02-instruct
0.2 0.6: amazon.titan-text-express meta-llama/llama-4-maverick-17b-128e-instruct mistral-saba mistral-saba-latest
0.15 0.2: amazon.titan-text-lite
0.5 0.5: babbage
0.5 1.5: c4ai-aya-expanse-32b c4ai-aya-expanse-8b gpt-3.5-turbo gpt-3.5-turbo-0125 gpt-35-turbo magistral-small
5 15: chatgpt-4o-latest gpt-4o-2024-05-13
8 24: claude claude-2
0.8 4 0.08 1 h1.6: claude-3-5-haiku
3 15 0.3 3.75 h6: claude-3-5-sonnet claude-3-7-sonnet claude-3-sonnet claude-4-sonnet claude-sonnet-3.7 claude-sonnet-4 claude-sonnet-4-0 claude-sonnet-4-6
0.25 1.25 0.03 0.3 h0.5: claude-3-haiku
15 75 1.5 18.75 h30: claude-3-opus claude-4-opus claude-opus-4 claude-opus-4-0 claude-opus-4-1
1 5 0.1 1.25 h2: claude-4-5-haiku claude-haiku-4-5
5 25 0.5 6.25 h10: claude-4-5-opus claude-4-6-opus claude-4-7-opus claude-4-8-opus claude-5-opus claude-5.0-opus claude-opus-4-5 claude-opus-4-6 claude-opus-4-7 claude-opus-4-8 claude-opus-5 claude-opus-5.0
4 20 0.2 5 h8: claude-5-5-opus claude-opus-5-5
2 10 0.2 2.5 h4: claude-5-sonnet claude-5.0-sonnet claude-sonnet-5 claude-sonnet-5.0
10 50 1 12.5 h20: claude-fable-5
10 50 0.25 12.5 h20: claude-fable-5-1
3 15 0.3 3.75 h6 >200000 6 22.5 0.6 7.5 h12: claude-sonnet-4-5
0.3 0.9: codestral codestral-2501 codestral-latest
0.3 0.9 0.03: codestral-2508
1.5 6 0.375: codex-mini codex-mini-latest
1 2: command gpt-3.5-turbo-1106
2.5 10: command-a command-r-plus gpt-4o-search-preview
0.3 0.6: command-light
0.15 0.6: command-r gemini-2.5-flash-preview gemini-2.5-flash-preview-05-20:thinking gemini-2.5-flash-preview:thinking
0.0375 0.15: command-r7b
3 12: computer-use
2 2: curie text-curie-001
20 20: davinci text-davinci-001 text-davinci-002 text-davinci-003
0.27 1.1 0.07: deepseek-chat deepseek-chat-v3-0324
0.55 2.19 0.14: deepseek-r1 deepseek-r1-0528 deepseek-reasoner
0.75 0.99: deepseek-r1-distill-llama-70b
0.27 0.95 0.13: deepseek-v3.1-terminus
0.2288 0.3432: deepseek-v3.2
0.27 0.41: deepseek-v3.2-exp
0.44 1.32 0.014: deepseek-v4-flash
1.32 3.96 0.044: deepseek-v4-pro
0.4 2 0.04: devstral-2512 mistral-medium mistral-medium-2505 mistral-medium-2508 mistral-medium-3-1
0.1 0.3: devstral-small devstral-small-2505 devstral-small-2507 devstral-small-latest labs-devstral-small-2512 mistral-small-latest
0.12 0: embed-v4.0 voyage-4-large voyage-code-2 voyage-finance-2 voyage-large-2 voyage-large-2-instruct voyage-law-2 voyage-multilingual-2
3 6: ft:gpt-3.5-turbo ft:gpt-3.5-turbo-
30 60: ft:gpt-4-0 gpt-4 gpt-4-0314 gpt-4-0613
3.75 15: ft:gpt-4o
0.3 1.2: ft:gpt-4o-mini gpt-4o-mini-2024-07-18.ft- m2-her
0.125 0.375: gemini-1.0-pro gemini-1.0-pro-vision-001 gemini-pro
0.075 0.3 0.01875 >128000 0.15 0.6 0.0375: gemini-1.5-flash gemini-flash-1.5
1.25 5 >128000 2.5 10: gemini-1.5-pro
0.1 0.4 0.025: gemini-2.0-flash gpt-4.1-nano
0.075 0.3: gemini-2.0-flash-lite
0.3 2.5 0.03: gemini-2.5-flash gemini-2.5-flash-latest gemini-3.5-flash-lite
0.1 0.4 0.01: gemini-2.5-flash-lite voxtral-small-24b-2507 voxtral-small-2507 voxtral-small-latest
1.25 10 0.125 >200000 2.5 15 0.25: gemini-2.5-pro
0.5 3 0.05: gemini-3-flash-preview
2 12 0.2 >200000 4 18 0.4: gemini-3-pro-preview gemini-3-pro-text-preview gemini-3.1-pro-preview
0.25 1.5 0.025: gemini-3.1-flash-lite gemini-3.1-flash-lite-preview
1.5 9 0.15: gemini-3.5-flash gemini-3.5-flash-preview
0.75 3.75 0.075: gemini-3.6-flash gemini-3.7-flash gemini-3.8-flash
0.15 0: gemini-embedding-001
0.2 0: gemini-embedding-2
0.0375 0.15 0.01 >128000 0.075 0.3 0.02: gemini-flash-1.5-8b
1.5 9: gemini-omni-flash-preview
1.25 5 0.3125 >128000 2.5 10 0.625: gemini-pro-1.5
0.65 0.65: gemma-2-27b-it
0.15 0.6 0.015: gemma-4-26b-a4b-it-maas mistral-small-2603
0.07 0.07: gemma-7b-it
0.2 0.2: gemma2-9b gemma2-9b-it llama-3.1-sonar-small-128k-online llama-guard-3-8b meta-llama/llama-guard-4-12b
1.4 4.4 0.26: glm-5.2 glm-5.3
0.075 0.25 0.015: glm-5.3-flash
1.5 2: gpt-3.5-0301 gpt-3.5-turbo-0301 gpt-3.5-turbo-0613 gpt-3.5-turbo-instruct gpt-3.5-turbo-instruct-0914
3 4: gpt-3.5-turbo-16k gpt-3.5-turbo-16k-0613 gpt-35-turbo-16k gpt-35-turbo-16k-0613
10 30: gpt-4-0125-preview gpt-4-1106-preview gpt-4-1106-vision-preview gpt-4-turbo gpt-4-turbo-0125-preview gpt-4-turbo-preview gpt-4-vision-preview
60 120: gpt-4-32k gpt-4-32k-0314 gpt-4-32k-0613
2 8 0.5: gpt-4.1 o3 o4-mini-deep-research
0.4 1.6 0.1: gpt-4.1-mini
75 150 37.5: gpt-4.5-preview
2.5 10 1.25: gpt-4o
0.15 0.6 0.075: gpt-4o-mini gpt-4o-mini-search-preview openai/gpt-oss-120b
6 18: gpt-4o:extended
1.25 10 0.125: gpt-5 gpt-5-chat gpt-5-codex gpt-5.1 gpt-5.1-chat gpt-5.1-codex gpt-5.1-codex-max
0.25 2 0.025: gpt-5-mini gpt-5.1-codex-mini gpt-5.1-mini
0.05 0.4 0.005: gpt-5-nano
15 120: gpt-5-pro
1.75 14 0.175: gpt-5.2 gpt-5.2-chat gpt-5.2-codex gpt-5.3 gpt-5.3-chat gpt-5.3-codex
21 168: gpt-5.2-pro
2.5 15 0.25 >271999 5 22.5 0.5: gpt-5.4
0.75 4.5 0.075: gpt-5.4-mini
0.2 1.25 0.02: gpt-5.4-nano
30 180 >271999 60 270: gpt-5.4-pro gpt-5.5-pro
5 30 0.5 >271999 10 45 1: gpt-5.5 gpt-5.5-chat gpt-5.5-codex
4 20 0.4 5 >271999 8 30 0.8 10: gpt-5.6 gpt-5.6-sol
0.2 1.2 0.02 0.25 >271999 0.4 1.8 0.04 0.5: gpt-5.6-luna
2 12 0.2 2.5 >271999 4 18 0.4 5: gpt-5.6-terra
10 50 1 12.5 >271999 20 75 2 25: gpt-6-astra
0.1 0.5 0.01 0.125 >272000 0.2 0.75 0.02 0.25: gpt-6-luna
2 10 0.2 2.5 >272000 4 15 0.4 5: gpt-6-sol
5 30 0.5: gpt-chat-latest
0.039 0.18: gpt-oss-120b
0.029 0.14: gpt-oss-20b
0.075 0.3 0.037: gpt-oss-safeguard-20b
2 10: grok-2 grok-2-1212 grok-2-vision grok-2-vision-1212
3 15 0.75: grok-3 grok-3-beta grok-4 grok-4-0709
5 25 1.25: grok-3-fast grok-3-fast-beta
0.3 0.5 0.075: grok-3-mini grok-3-mini-beta
0.6 4 0.15: grok-3-mini-fast grok-3-mini-fast-beta
0.2 0.5 0.05: grok-4-1-fast grok-4-1-fast-non-reasoning grok-4-1-fast-reasoning grok-4-fast grok-4-fast-non-reasoning grok-4-fast-reasoning
1.25 2.5 0.2 >199999 2.5 5 0.4: grok-4.20 grok-4.3
2 6 0.2: grok-4.20-multi-agent
2 6 0.3 >199999 4 12 0.6: grok-4.5 grok-latest
2 6 0.5 >199999 4 12 1: grok-4.6
1 2 0.2 >199999 2 4 0.4: grok-build-0.1
0.2 1.5 0.02: grok-code-fast grok-code-fast-1 grok-code-fast-1-0825
0.57 2.3: kimi-k2
0.6 2.5 0.15: kimi-k2-0711-preview kimi-k2-0905-preview kimi-k2-thinking
1.15 8 0.15: kimi-k2-thinking-turbo kimi-k2-turbo kimi-k2-turbo-preview
0.6 3 0.1: kimi-k2.5
0.95 4 0.16: kimi-k2.6
0.95 4 0.19: kimi-k2.7-code
1.9 8 0.38: kimi-k2.7-code-highspeed
3 15 0.3: kimi-k3
0.59 0.79: llama-3.1-405b-reasoning llama-3.1-70b-versatile llama-3.3-70b-versatile llama3-70b-8192
0.05 0.08: llama-3.1-8b-instant llama3-8b-8192 mistral-small-24b-instruct-2501
1 1: llama-3.1-sonar-large-128k-online
0.18 0.18: llama-3.2-11b-text-preview llama-3.2-11b-vision-preview
0.04 0.04: llama-3.2-1b-preview ministral-3b
0.06 0.06: llama-3.2-3b-preview
0.9 0.9: llama-3.2-90b-text-preview llama-3.2-90b-vision-preview mixtral-8x22b-instruct
0.59 0.99: llama-3.3-70b-specdec
0.7 0.8: llama2-70b-4096
0.89 0.89: llama3-groq-70b-8192-tool-use-preview
0.19 0.19: llama3-groq-8b-8192-tool-use-preview
2 5: magistral-medium moonshot-v1-128k moonshot-v1-128k-vision-preview
0.11 0.34: meta-llama/llama-4-scout-17b-16e-instruct
0.2 1.1: minimax-01
0.4 2.2: minimax-m1
0.3 1.2 0.03 0.375: minimax-m2 minimax-m2.1 minimax-m2.5
0.6 2.4 0.03 0.375: minimax-m2.1-highspeed minimax-m2.5-highspeed
0.3 1.2 0.06 0.375: minimax-m2.7
0.6 2.4 0.06 0.375: minimax-m2.7-highspeed
0.3 1.2 0.06 >512000 0.6 2.4 0.12: minimax-m3
0.2 0.2 0.02: ministral-14b-2512
0.1 0.1 0.01: ministral-3b-2512
0.1 0.1: ministral-8b ministral-8b-2410 mistral-embed
0.15 0.15 0.015: ministral-8b-2512 ministral-8b-latest
0.25 0.25: mistral-7b mistral-tiny open-mistral-7b
2 6: mistral-large mistral-large-2407 mistral-large-2411 mistral-large-latest pixtral-large pixtral-large-2411 pixtral-large-latest
0.5 1.5 0.05: mistral-large-2512
2.7 8.1: mistral-medium-2312
1.5 7.5 0.15: mistral-medium-3 mistral-medium-3-5 mistral-medium-latest
0.15 0.15: mistral-nemo open-mistral-nemo pixtral-12b pixtral-12b-latest
0.79 0.79: mistral-saba-24b
0.351 0.555: mistral-small-3.1-24b-instruct
0.075 0.2: mistral-small-3.2-24b-instruct
0.7 0.7: mixtral-8x7b open-mixtral-8x7b
0.24 0.24: mixtral-8x7b-32768
1 3: moonshot-v1-32k moonshot-v1-32k-vision-preview
0.2 2: moonshot-v1-8k moonshot-v1-8k-vision-preview
1 3 0.5: moonshotai/kimi-k2-instruct
15 60 7.5: o1 o1-preview
1.1 4.4 0.55: o1-mini o3-mini o3-mini-high
150 600: o1-pro
10 40 2.5: o3-deep-research
20 80: o3-pro
1.1 4.4 0.275: o4-mini o4-mini-high
0.075 0.3 0.0375: openai/gpt-oss-20b
0.29 0.59: qwen/qwen3-32b
2 8: r1-1776
1 1 q12: sonar
2 8 r3: sonar-deep-research
3 15 q14: sonar-pro
3 15: sonar-pro-search
1 5 q12: sonar-reasoning
2 8 q14: sonar-reasoning-pro
0.13 0: text-embedding-3-large
0.02 0: text-embedding-3-small voyage-3-lite voyage-3.5-lite voyage-4-lite
0.06 0: voyage-3 voyage-3.5 voyage-4
0.18 0: voyage-3-large voyage-code-3 voyage-context-3
`;

/** The same of hosts that serve the models of others at prices of their own. */
export const HOST_PRICES: Readonly<Record<string, string>> = {
  aws: `
0.33 2.75 0.0825: amazon.nova-2-lite
0.06 0.24 0.015: amazon.nova-lite
0.035 0.14 0.00875: amazon.nova-micro
2.5 12.5 0.625: amazon.nova-premier
0.8 3.2 0.2: amazon.nova-pro
0.1 0: amazon.titan-embed-text
0.2 0.6: amazon.titan-text-express titan-text-express
0.15 0.2: amazon.titan-text-lite mistral.mistral-7b-instruct titan-text-lite
0.8 4 0.08 1: anthropic.claude-3-5-haiku-20241022 claude-3-5-haiku-20241022
3 15 0.3 3.75: anthropic.claude-3-5-sonnet-20240620 anthropic.claude-3-5-sonnet-20241022 anthropic.claude-3-7-sonnet-20250219 anthropic.claude-3-sonnet-20240229 anthropic.claude-sonnet-4-20250514 claude-3-5-sonnet-20240620 claude-3-5-sonnet-20241022 claude-3-7-sonnet-20250219 claude-3-sonnet-20240229 claude-sonnet-4-20250514 global.anthropic.claude-sonnet-4-20250514 global.anthropic.claude-sonnet-4-5-20250929 global.anthropic.claude-sonnet-4-6
0.25 1.25: anthropic.claude-3-haiku-20240307 claude-3-haiku-20240307
15 75: anthropic.claude-3-opus-20240229 claude-3-opus-20240229
11 55 1.1 13.75: anthropic.claude-fable-5 claude-fable-5
11 55 0.275 13.75: anthropic.claude-fable-5-1 claude-fable-5-1
1.1 5.5 0.11 1.375: anthropic.claude-haiku-4-5-20251001 claude-haiku-4-5-20251001
15 75 1.5 18.75: anthropic.claude-opus-4-1-20250805 anthropic.claude-opus-4-20250514 claude-opus-4-1-20250805 claude-opus-4-20250514
5.5 27.5 0.55 6.875: anthropic.claude-opus-4-5 anthropic.claude-opus-4-6 anthropic.claude-opus-4-7 anthropic.claude-opus-4-8 anthropic.claude-opus-5 claude-opus-4-5 claude-opus-4-6 claude-opus-4-7 claude-opus-4-8 claude-opus-5
4.4 22 0.22 5.5 h8.8: anthropic.claude-opus-5-5 claude-opus-5-5
3.3 16.5 0.33 4.125: anthropic.claude-sonnet-4-5-20250929 anthropic.claude-sonnet-4-6 claude-sonnet-4-5-20250929 claude-sonnet-4-6
2.2 11 0.22 2.75: anthropic.claude-sonnet-5 claude-sonnet-5
1.35 5.4: deepseek.r1
0.3 2.5 0.075: global.amazon.nova-2-lite
10 50 1 12.5: global.anthropic.claude-fable-5
10 50 0.25 12.5: global.anthropic.claude-fable-5-1
1 5 0.1 1.25: global.anthropic.claude-haiku-4-5-20251001
5 25 0.5 6.25: global.anthropic.claude-opus-4-5 global.anthropic.claude-opus-4-6 global.anthropic.claude-opus-4-7 global.anthropic.claude-opus-4-8 global.anthropic.claude-opus-5
4 20 0.2 5 h8: global.anthropic.claude-opus-5-5
2 10 0.2 2.5: global.anthropic.claude-sonnet-5
0.2 1.2 0.02 0.25 >271999 0.4 1.8 0.04 0.5: global.openai.gpt-5.6-luna
4 20 0.4 5 >271999 8 30 0.8 10: global.openai.gpt-5.6-sol
2 12 0.2 2.5 >271999 4 18 0.4 5: global.openai.gpt-5.6-terra
0.09 0.29: google.gemma-3-12b-it
0.23 0.38: google.gemma-3-27b-it
0.04 0.08: google.gemma-3-4b-it
0.22 1.32 0.022 0.275 >271999 0.44 1.98 0.044 0.55: gpt-5.6-luna openai.gpt-5.6-luna
4.4 22 0.44 5.5 >271999 8.8 33 0.88 11: gpt-5.6-sol openai.gpt-5.6-sol
2.2 13.2 0.22 2.75 >271999 4.4 19.8 0.44 5.5: gpt-5.6-terra openai.gpt-5.6-terra
0.72 0.72: meta.llama3-1-70b-instruct meta.llama3-2-90b-instruct meta.llama3-3-70b-instruct
0.22 0.22: meta.llama3-1-8b-instruct
0.16 0.16: meta.llama3-2-11b-instruct
0.1 0.1: meta.llama3-2-1b-instruct mistral.ministral-3-3b-instruct
0.15 0.15: meta.llama3-2-3b-instruct mistral.ministral-3-8b-instruct
2.65 3.5: meta.llama3-70b-instruct
0.3 0.6: meta.llama3-8b-instruct
0.24 0.97: meta.llama4-maverick-17b-instruct
0.17 0.66: meta.llama4-scout-17b-instruct
0.4 2: mistral.devstral-2-123b
0.5 1.5: mistral.magistral-small-2509 mistral.mistral-large-3-675b-instruct
0.2 0.2: mistral.ministral-3-14b-instruct
4 12: mistral.mistral-large-2402
1 3: mistral.mistral-small-2402
0.45 0.7: mistral.mixtral-8x7b-instruct
2 6: mistral.pixtral-large-2502
0.04 0.04: mistral.voxtral-mini-3b-2507
0.1 0.3: mistral.voxtral-small-24b-2507
0.06 0.24: nvidia.nemotron-nano-3-30b nvidia.nemotron-nano-3-30b:0
0.06 0.23: nvidia.nemotron-nano-9b
0.15 0.65: nvidia.nemotron-super-3-120b nvidia.nemotron-super-3-120b:0
2.75 16.5 0.275: openai.gpt-5.4
5.5 33 0.55: openai.gpt-5.5
0.15 0.6: openai.gpt-oss-120b-1 openai.gpt-oss-120b-1:0 qwen.qwen3-32b qwen.qwen3-coder-30b-a3b
0.07 0.3: openai.gpt-oss-20b-1 openai.gpt-oss-20b-1:0
0.45 1.8: qwen.qwen3-coder-480b-a35b
0.53 2.66: qwen.qwen3-vl-235b-a22b
2.5 10: writer.palmyra-x4
0.6 6: writer.palmyra-x5
`,
  azure: `
0.1 0: ada text-embedding-ada text-embedding-ada-002
0.4 0: babbage babbage-002
2 0: curie davinci davinci-002 text-curie text-curie-001 text-davinci text-davinci-002
15 60 7.5: o1 o1-2024-12-17 o1-preview o1-preview-2024-09-12
1.1 4.4 0.55: o1-mini o1-mini-2024-09-12 o3-mini o3-mini-2025-01-31
2 8 0.5: o3 o3-2025-04-16
1.1 4.4 0.28: o4-mini o4-mini-2025-04-16
1 1: phi-3-medium-128k-instruct
0.1 0.1: phi-3-mini-128k-instruct phi-3.5-mini-128k-instruct
0.07 0.14: phi-4
0.08 0.35: phi-4-mini-instruct
0.05 0.1: phi-4-multimodal-instruct
0.07 0.35: phi-4-reasoning-plus
0.13 0: text-embedding-3-large
0.02 0: text-embedding-3-small
0.48 0.48: wizardlm-2-8x22b
`,
  cerebras: `
0.99 1.49: cerebras/gemma-4-31b cerebras:gemma-4-31b gemma-4-31b
0.35 0.75: cerebras/gpt-oss-120b cerebras:gpt-oss-120b gpt-oss-120b
0.85 1.2: cerebras/llama-3.3-70b cerebras:llama-3.3-70b llama-3.3-70b
0.1 0.1: cerebras/llama3.1-8b cerebras:llama3.1-8b llama3.1-8b
0.4 0.8: cerebras/qwen-3-32b cerebras:qwen-3-32b qwen-3-32b
2.25 2.75: cerebras/zai-glm-4.7 cerebras:zai-glm-4.7 zai-glm-4.7
`,
  fireworks: `
3 8: accounts/fireworks/models/deepseek-r1-0528 deepseek-r1-0528
0.9 0.9: accounts/fireworks/models/deepseek-v3-0324 accounts/fireworks/models/qwen2p5-vl-72b-instruct deepseek-v3-0324 qwen2p5-vl-72b-instruct
0.56 1.68 0.28: accounts/fireworks/models/deepseek-v3p2 deepseek-v3p2
0.14 0.28 0.028: accounts/fireworks/models/deepseek-v4-flash accounts/fireworks/models/deepseek-v4-flash-0731 deepseek-v4-flash
1.74 3.48 0.145: accounts/fireworks/models/deepseek-v4-pro deepseek-v4-pro
0.1 0.1: accounts/fireworks/models/gemma-3-27b-it gemma-3-27b-it
0.6 2.2: accounts/fireworks/models/glm-4p7 glm-4p7
1.4 4.4 0.26: accounts/fireworks/models/glm-5p1 glm-5p1
1.4 4.4 0.14: accounts/fireworks/models/glm-5p2 glm-5p2
0.15 0.6 0.014: accounts/fireworks/models/gpt-oss-120b gpt-oss-120b
0.07 0.3 0.035: accounts/fireworks/models/gpt-oss-20b gpt-oss-20b
1 4.05 0.17: accounts/fireworks/models/inkling inkling
0.6 3 0.1: accounts/fireworks/models/kimi-k2p5 kimi-k2p5
0.95 4 0.16: accounts/fireworks/models/kimi-k2p6 kimi-k2p6
0.95 4 0.19: accounts/fireworks/models/kimi-k2p7-code kimi-k2p7-code
3 15 0.3: accounts/fireworks/models/kimi-k3 kimi-k3
0.2 0.2: accounts/fireworks/models/llama-v3p1-8b-instruct llama-v3p1-8b-instruct
0.22 0.88: accounts/fireworks/models/llama4-maverick-instruct-basic accounts/fireworks/models/qwen3-235b-a22b llama4-maverick-instruct-basic qwen3-235b-a22b
0.3 1.2: accounts/fireworks/models/minimax-m2p1 minimax-m2p1
0.3 1.2 0.06: accounts/fireworks/models/minimax-m2p7 accounts/fireworks/models/minimax-m3 minimax-m2p7 minimax-m3
0.6 2.4 0.12: accounts/fireworks/models/nemotron-3-ultra-nvfp4 nemotron-3-ultra-nvfp4
0.5 3 0.1: accounts/fireworks/models/qwen3p6-plus qwen3p6-plus
0.4 1.6 0.08: accounts/fireworks/models/qwen3p7-plus qwen3p7-plus
2.8 8.8 0.52: accounts/fireworks/routers/glm-5p1-fast glm-5p1-fast
2.1 6.6 0.21: accounts/fireworks/routers/glm-5p2-fast accounts/fireworks/routers/glm-5p2-fast-us glm-5p2-fast
2 8 0.3: accounts/fireworks/routers/kimi-k2p6-fast kimi-k2p6-fast
1.9 8 0.38: accounts/fireworks/routers/kimi-k2p7-code-fast kimi-k2p7-code-fast
4.5 22.5 0.45: accounts/fireworks/routers/kimi-k3-fast kimi-k3-fast
3.3 16.5 0.33: accounts/fireworks/routers/kimi-k3-us kimi-k3-us
`,
  groq: `
0.75 0.99: deepseek-r1-distill-llama-70b
0.07 0.07: gemma-7b-it
0.2 0.2: gemma2-9b gemma2-9b-it llama-guard-3-8b meta-llama/llama-guard-4-12b
0.59 0.79: llama-3.1-405b-reasoning llama-3.1-70b-versatile llama-3.3-70b-versatile llama3-70b-8192
0.05 0.08: llama-3.1-8b-instant llama3-8b-8192
0.18 0.18: llama-3.2-11b-text-preview llama-3.2-11b-vision-preview
0.04 0.04: llama-3.2-1b-preview
0.06 0.06: llama-3.2-3b-preview
0.9 0.9: llama-3.2-90b-text-preview llama-3.2-90b-vision-preview
0.59 0.99: llama-3.3-70b-specdec
0.7 0.8: llama2-70b-4096
0.89 0.89: llama3-groq-70b-8192-tool-use-preview
0.19 0.19: llama3-groq-8b-8192-tool-use-preview
0.2 0.6: meta-llama/llama-4-maverick-17b-128e-instruct
0.11 0.34: meta-llama/llama-4-scout-17b-16e-instruct
0.79 0.79: mistral-saba-24b
0.24 0.24: mixtral-8x7b-32768
1 3 0.5: moonshotai/kimi-k2-instruct moonshotai/kimi-k2-instruct-0905
0.15 0.6 0.075: openai/gpt-oss-120b openai/gpt-oss-safeguard-20b
0.075 0.3 0.0375: openai/gpt-oss-20b
0.29 0.59: qwen/qwen3-32b
`,
  together: `
0.2 0.2: allenai/olmo-7b allenai/olmo-7b-instruct allenai/olmo-7b-twin-2t codellama/codellama-7b-instruct-hf google/gemma-7b google/gemma-7b-it lmsys/vicuna-7b-v1.5 meta-llama/llama-2-7b-chat-hf meta-llama/llama-3-8b-chat-hf mistralai/mistral-7b-instruct-v0.1 mistralai/mistral-7b-instruct-v0.2 mistralai/mistral-7b-v0.1 nousresearch/nous-capybara-7b-v1p9 nousresearch/nous-hermes-llama-2-7b open-orca/mistral-7b-openorca openchat/openchat-3.5-1210 qwen/qwen1.5-7b qwen/qwen1.5-7b-chat snorkelai/snorkel-mistral-pairrm-dpo teknium/openhermes-2-mistral-7b teknium/openhermes-2p5-mistral-7b togethercomputer/alpaca-7b togethercomputer/gpt-jt-moderation-6b togethercomputer/llama-2-7b-32k-instruct togethercomputer/redpajama-incite-7b-base togethercomputer/redpajama-incite-7b-chat togethercomputer/redpajama-incite-7b-instruct togethercomputer/stripedhyena-hessian-7b togethercomputer/stripedhyena-nous-7b undi95/toppy-m-7b zero-one-ai/yi-6b
0.3 0.3: austism/chronos-hermes-13b gryphe/mythomax-l2-13b lmsys/vicuna-13b-v1.5 nexusflow/nexusraven-v2-13b qwen/qwen1.5-14b qwen/qwen1.5-14b-chat undi95/remm-slerp-l2-13b upstage/solar-10.7b-instruct-v1.0 wizardlm/wizardlm-13b-v1.2
0.225 0.225: codellama/codellama-13b-instruct-hf meta-llama/llama-2-13b-chat-hf nousresearch/nous-hermes-llama2-13b
0.776 0.776: codellama/codellama-34b-instruct-hf
0.9 0.9: codellama/codellama-70b-instruct-hf garage-baind/platypus2-70b-instruct meta-llama/llama-2-70b-chat-hf meta-llama/llama-3-70b-chat-hf mistralai/mixtral-8x7b-instruct-v0.1 mistralai/mixtral-8x7b-v0.1 nousresearch/nous-hermes-2-mixtral-8x7b-dpo nousresearch/nous-hermes-2-mixtral-8x7b-sft qwen/qwen1.5-72b
0.8 0.8: deepseek-ai/deepseek-coder-33b-instruct nousresearch/nous-hermes-2-yi-34b zero-one-ai/yi-34b
0.1 0.1: google/gemma-2b google/gemma-2b-it meta-llama/meta-llama-3-8b-instruct-lite microsoft/phi-2 qwen/qwen1.5-0.5b qwen/qwen1.5-0.5b-chat qwen/qwen1.5-1.8b qwen/qwen1.5-1.8b-chat qwen/qwen1.5-4b qwen/qwen1.5-4b-chat togethercomputer/redpajama-incite-base-3b togethercomputer/redpajama-incite-chat-3b togethercomputer/redpajama-incite-instruct-3b
0.88 0.88: meta-llama/llama-3.3-70b-instruct-turbo meta-llama/meta-llama-3-70b-instruct-turbo meta-llama/meta-llama-3.1-70b-instruct-turbo meta-llama/meta-llama-3.3-70b-instruct-turbo
0.27 0.85: meta-llama/llama-4-maverick-17b-128e-instruct-fp8
0.18 0.59: meta-llama/llama-4-scout-17b-16e-instruct
0.54 0.54: meta-llama/meta-llama-3-70b-instruct-lite
0.18 0.18: meta-llama/meta-llama-3-8b-instruct-turbo meta-llama/meta-llama-3.1-8b-instruct-turbo
3.5 3.5: meta-llama/meta-llama-3.1-405b-instruct-turbo
1.2 1.2: microsoft/wizardlm-2-8x22b
2.4 2.4: mistralai/mixtral-8x22b-instruct-v0.1
`,
};
