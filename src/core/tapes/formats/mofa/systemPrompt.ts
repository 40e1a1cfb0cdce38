const FRAME =
  /^# {2}(?<heading>.+)\n\nYou are (?<identity>.+)\.\n\n## Current Time\n[^\n]+\n\n## Workspace\n(?:[^\n]+\n)+\n(?<manner>Always be [^\n]+)\nWhen remembering something, write to [^\n]+(?<more>\n\n---\n\n[\s\S]*)?$/;

/**
 * A system prompt of MoFA's agent without the time and the path of its temporary workspace, which differ in every run: as
 * Tapedeck's own agent writes it. Any other prompt is returned as it is.
 */
export function withoutSurroundings(prompt: string): string {
  const { heading = '', identity = '', manner = '', more = '' } = FRAME.exec(prompt)?.groups ?? {};
  const name = nameIn(heading, identity);
  return name === undefined ? prompt : `# ${name}\n\nYou are ${identity}.\n\n${manner}${more}`;
}

/** The heading is `NAME DESCRIPTION`, and the identity `NAME, DESCRIPTION`. */
function nameIn(heading: string, identity: string): string | undefined {
  for (let at = identity.indexOf(', '); at !== -1; at = identity.indexOf(', ', at + 1)) {
    const name = identity.slice(0, at);
    if (heading === `${name} ${identity.slice(at + 2)}`) return name;
  }
  return undefined;
}
