import type { DslDocument } from './dslDocument';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The system prompt that MoFA's agent sends: with the time, and with the path of its workspace. */
export function mofaSystemPrompt(document: DslDocument, workspace: string, now: Date): string {
  const files = document.bootstrap_files.map(({ path }) => `## ${path}\n\n${lastContent(document, path)}`);
  const memory = memoryOf(document, now);
  return [
    identity(document, workspace, now),
    ...(files.length > 0 ? [files.join('\n\n')] : []),
    ...(memory === '' ? [] : [`# Memory\n\n${memory}`]),
  ].join('\n\n---\n\n');
}

function identity({ agent }: DslDocument, workspace: string, now: Date): string {
  const name = agent?.name ?? 'Agent';
  // A description counts only beside a name.
  const own = agent?.name == null ? 'A helpful AI assistant' : agent.description;
  const description = own || 'a helpful AI assistant';
  return [
    `#  ${name} ${description}`,
    '',
    `You are ${name}, ${description}.`,
    '',
    '## Current Time',
    timeOf(now),
    '',
    '## Workspace',
    `Your workspace is at: ${workspace}`,
    `- Memory files: ${workspace}/memory/MEMORY.md`,
    `- Daily notes: ${workspace}/memory/YYYY-MM-DD.md`,
    `- Custom skills: ${workspace}/skills/{{skill-name}}/SKILL.md`,
    '',
    "Always be helpful, accurate, and concise. When using tools, explain what you're doing.",
    `When remembering something, write to ${workspace}/memory/MEMORY.md`,
  ].join('\n');
}

/** MoFA's form of a time: `2026-04-04 14:22 (Saturday)`, in UTC. */
function timeOf(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} (${WEEKDAYS[date.getUTCDay()]})`;
}

/** The files of a case that the agent's memory reads. */
function memoryOf(document: DslDocument, now: Date): string {
  const longTerm = lastContent(document, 'memory/MEMORY.md');
  const today = lastContent(document, `memory/${now.toISOString().slice(0, 10)}.md`);
  return [
    ...(longTerm === '' ? [] : [`## Long-term Memory\n${longTerm}`]),
    ...(today === '' ? [] : [`## Today's Notes\n${today}`]),
  ].join('\n\n');
}

function lastContent({ bootstrap_files }: DslDocument, path: string): string {
  return bootstrap_files.findLast((file) => file.path === path)?.content ?? '';
}
