import { encodeBase64 } from '../../../bytes/base64';
import type { DecompressionLimits } from '../../../bytes/decompress';
import { isZip, readZip } from '../../../bytes/zipEntries';
import type { JsonMember, JsonNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { readJson } from '../../../json/readJson';
import { applySplices, type Splice } from '../../../text/splice';
import type { AttachedBodies, AttachedTape } from '../../format';

/** The bodies that Playwright puts into files beside an archive, or into a zip with it. */
export const attachedBodies: AttachedBodies = { namesIn, embed, unzip };

/** None has a folder. */
function namesIn(text: string): readonly string[] {
  return [...new Set(attachments(text).map(({ name }) => name))].filter((name) => /^[\w-][\w.-]*$/.test(name));
}

function embed({ text, files }: AttachedTape): string {
  const splices = attachments(text).flatMap(({ name, member: { keySpan, value } }): Splice[] => {
    const content = files.get(name);
    return content === undefined ? [] : [{ start: keySpan.start, end: value.end, text: membersOfBody(content) }];
  });
  return applySplices(text, splices);
}

function unzip(bytes: Uint8Array, limits: DecompressionLimits): AttachedTape | undefined {
  const entries = isZip(bytes) ? readZip(bytes).entries : [];
  const archive = entries.find(({ name }) => /^[^/]+\.har$/.test(name));
  if (archive === undefined) return undefined;
  let left = limits.maxBytes;
  const contentOf = (entry: typeof archive): Uint8Array | undefined => {
    const { bytes: content, problem, exceeded } = entry.read({ ...limits, maxBytes: left });
    left -= exceeded ?? content.length;
    return problem === undefined ? content : undefined;
  };
  const har = contentOf(archive);
  if (har === undefined) return undefined;
  const text = new TextDecoder().decode(har);
  const wanted = new Set(namesIn(text));
  const files = new Map<string, Uint8Array>();
  for (const entry of entries) {
    const content = wanted.has(entry.name) && left > 0 ? contentOf(entry) : undefined;
    if (content !== undefined) files.set(entry.name, content);
  }
  return { text, files };
}

/** A member of a body that names its file. */
interface Attachment {
  readonly name: string;
  readonly member: JsonMember;
}

function attachments(text: string): readonly Attachment[] {
  const entries = nodeAt(readJson(text).value, 'log.entries');
  return (entries?.type === 'array' ? entries.items : []).flatMap((entry) =>
    ['request.postData', 'response.content'].flatMap((body) => attachmentsOf(nodeAt(entry, body))),
  );
}

function attachmentsOf(body: JsonNode | undefined): Attachment[] {
  if (body?.type !== 'object' || nodeAt(body, 'text') !== undefined) return [];
  const member = body.members.find(({ key }) => key === '_file' || key === '_sha1');
  return member?.value.type === 'string' ? [{ name: member.value.value, member }] : [];
}

function membersOfBody(content: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    return `"text": ${JSON.stringify(text)}`;
  } catch {
    return `"text": "${encodeBase64(content)}", "encoding": "base64"`;
  }
}
