import type { Case } from '../../core/cases/case';

/** MoFA's identity for cases that do not name their agent. A description counts only beside a name, as in MoFA. */
export const DEFAULT_AGENT_NAME = 'Agent';
const DEFAULT_DESCRIPTION = 'A helpful AI assistant';

/**
 * What the model is told first. MoFA's prompt also has the time and the path of the temporary workspace; ours leaves
 * them out, because then recording an unchanged case twice changes the tape only where the model answered differently.
 */
export function systemPrompt({ agent, bootstrapFiles }: Case): string {
  if (agent.system !== undefined) return agent.system;
  const name = agent.name ?? DEFAULT_AGENT_NAME;
  const description = (agent.name === undefined ? undefined : agent.description) || DEFAULT_DESCRIPTION;
  const identity = `# ${name}\n\nYou are ${name}, ${description}.\n\nAlways be helpful, accurate, and concise. When using tools, explain what you're doing.`;
  const files = bootstrapFiles.map(({ path, content }) => `## ${path}\n\n${content}`);
  return files.length === 0 ? identity : `${identity}\n\n---\n\n${files.join('\n\n')}`;
}
