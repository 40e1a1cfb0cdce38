/** What PyYAML's SafeLoader takes an unquoted scalar for. */
export type PyyamlType = 'null' | 'boolean' | 'integer' | 'float' | 'date' | 'string';

const NULL = /^(?:~|null|Null|NULL|)$/;
const BOOLEAN = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;
/** Binary, octal, decimal, hexadecimal, and 12:30 in base 60. */
const INTEGER =
  /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const DATE =
  /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$/;

/** The type of a plain scalar in YAML 1.1, by the expressions of PyYAML's resolver. */
export function pyyamlType(scalar: string): PyyamlType {
  if (NULL.test(scalar)) return 'null';
  if (BOOLEAN.test(scalar)) return 'boolean';
  if (INTEGER.test(scalar)) return 'integer';
  if (FLOAT.test(scalar)) return 'float';
  return DATE.test(scalar) ? 'date' : 'string';
}
