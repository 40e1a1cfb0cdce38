import { createHash } from 'node:crypto';

/** What stands for the name of a lane in the path of a tape. */
const LANE = '{lane}';
const LONGEST = 80;

/** Whether each lane has a tape of its own. */
export function isPerLane(tapePath: string): boolean {
  return tapePath.includes(LANE);
}

/** Two lanes never share a tape: a name that is none of a file, such as that of a test, gets a digest of what it was. */
export function tapeOfLane(tapePath: string, lane: string): string {
  return tapePath.replaceAll(LANE, () => fileNameOf(lane));
}

function fileNameOf(lane: string): string {
  const plain = lane.replace(/[^\w.-]+/g, '_').slice(0, LONGEST);
  if (plain === lane && !plain.startsWith('.')) return plain;
  const digest = createHash('sha256').update(lane).digest('hex').slice(0, 8);
  return `${plain.replace(/^\.+/, '_')}-${digest}`;
}
