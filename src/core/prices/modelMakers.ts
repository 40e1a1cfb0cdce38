/** Names of models that answer no conversation: embeddings, moderation, and completions from before there were chats. */
const NO_CHAT =
  /embed|moderation|rerank|guard|^voyage-|^ft:|\.ft-|^(?:text-)?(?:ada|babbage|curie|davinci)(?:-\d+)?$|^gpt-3\.5-turbo-instruct/;

/** Who makes a model, by how its name begins, after the name of who resells it. */
const MAKERS: readonly (readonly [maker: string, names: RegExp])[] = [
  ['OpenAI', /^(?:gpt-|chatgpt-|o\d|codex-|computer-use)/],
  ['Anthropic', /^claude/],
  ['Google', /^gem(?:ini|ma)/],
  ['Mistral', /^(?:labs-|open-)?(?:mistral|ministral|mixtral|codestral|devstral|magistral|pixtral|voxtral)/],
  ['Cohere', /^(?:command|c4ai-)/],
  ['DeepSeek', /^deepseek-/],
  ['xAI', /^grok-/],
  ['Amazon', /^amazon\./],
  ['Perplexity', /^(?:sonar|r1-1776)|-sonar-/],
  ['Moonshot AI', /^(?:kimi|moonshot)-/],
  ['Z.ai', /^glm-/],
  ['MiniMax', /^(?:minimax-|m2-her)/],
  ['Meta', /^llama/],
  ['Alibaba', /^qwen/],
];

/** Whether a model answers conversations, as far as its name says. */
export const isChatModel = (name: string): boolean => !NO_CHAT.test(name);

/** Who makes a model, such as OpenAI; undefined where its name does not say it. */
export function makerOf(name: string): string | undefined {
  const own = name.slice(name.lastIndexOf('/') + 1);
  return MAKERS.find(([, names]) => names.test(own))?.[0];
}

/**
 * Models by who makes them, the newest version first as far as their names say. First come the makers of the models in use, then those
 * that are best known; models of nobody known are last, under the key undefined.
 */
export function byMaker<Model extends { readonly label: string }>(
  models: readonly Model[],
  inUse: readonly string[],
): ReadonlyMap<string | undefined, readonly Model[]> {
  const makers = [...inUse.map(makerOf).filter((maker) => maker !== undefined), ...MAKERS.map(([maker]) => maker)];
  const newestFirst = [...models].sort((left, right) => right.label.localeCompare(left.label, 'en', { numeric: true }));
  const groups = new Map<string | undefined, Model[]>([...new Set(makers), undefined].map((maker) => [maker, []]));
  for (const model of newestFirst) groups.get(makerOf(model.label))?.push(model);
  return groups;
}
