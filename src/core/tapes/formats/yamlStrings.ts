import type { JsonMember, JsonNode } from '../../json/jsonDocument';
import { replaceYamlString, type YamlWriter } from '../../yaml/replaceYamlString';
import type { WriteString } from './storedBody';

/** Writes strings as a YAML file has them. A string has to be the value of a member. */
export function yamlStrings(source: string, writer: YamlWriter): (root: JsonNode) => WriteString {
  return (root) => {
    const members = new Map<JsonNode, JsonMember>();
    collect(root, members);
    return (node, value) => {
      const member = members.get(node);
      const splice = member && replaceYamlString(source, member, value, writer);
      return splice ?? { start: node.start, end: node.end, text: JSON.stringify(value) };
    };
  };
}

function collect(node: JsonNode, members: Map<JsonNode, JsonMember>): void {
  if (node.type === 'array') for (const item of node.items) collect(item, members);
  if (node.type !== 'object') return;
  for (const member of node.members) {
    members.set(member.value, member);
    collect(member.value, members);
  }
}
