import { replaceYamlScalar, type YamlWriter } from '../../yaml/replaceYamlString';
import type { WriteString } from './storedBody';

/** Writes strings as a YAML file has them. */
export function yamlStrings(source: string, writer: YamlWriter): WriteString {
  return (node, value) => [replaceYamlScalar(source, node, value, writer)];
}
