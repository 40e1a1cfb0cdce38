import { isRecord, type JsonRecord } from '../json/json';
import { formatJsonPath, type JsonPath } from '../json/jsonPath';
import type { RequestMembers } from './protocol';
import { PROTOCOLS } from './registry';

type Paths = readonly JsonPath[];

/** The members of requests of all protocols: some servers take those of several, and not every request is of a known protocol. */
export const ALL_MEMBERS = {
  system: pathsOf(({ system }) => system),
  messages: pathsOf(({ messages }) => messages),
  tools: pathsOf(({ tools }) => tools),
} satisfies Partial<RequestMembers>;

function pathsOf(select: (members: RequestMembers) => Paths | undefined): Paths {
  const paths = PROTOCOLS.flatMap(({ members }) => select(members) ?? []);
  return [...new Map(paths.map((path) => [formatJsonPath(path), path])).values()];
}

/** A copy of an object without some members, of which a path may lead through others. */
export function withoutMembers(record: JsonRecord, paths: Paths): JsonRecord {
  const members = Object.entries(record).flatMap(([name, value]) => {
    const below = paths.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
    if (below.some((path) => path.length === 0)) return [];
    return [[name, below.length > 0 && isRecord(value) ? withoutMembers(value, below) : value] as const];
  });
  return Object.fromEntries(members);
}
