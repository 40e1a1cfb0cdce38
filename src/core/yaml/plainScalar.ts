/** The value of an unquoted YAML scalar, without a position. */
type PlainValue =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'number'; readonly lexeme: string }
  | { readonly type: 'literal'; readonly value: boolean | null };

const NULL = /^(?:~|null|Null|NULL|)$/;
const TRUE = /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const DECIMAL = /^[-+]?(?:0|[1-9][0-9_]*)$/;
/**
 * A PyYAML float needs a dot, and its exponent a sign: `1e5` is a string, and so is `-.5`. `1.01_000` is a string to Psych, which leaves it
 * unquoted, and a float to PyYAML, which never writes one so.
 */
const FLOAT = /^(?:[-+]?[0-9][0-9_]*\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?$/;
/** Floats of yaml.v3 (Go) and Psych (Ruby), which omit the sign or the dot. PyYAML quotes such strings. */
const OTHER_FLOAT = /^[-+]?[0-9]+(?:\.[0-9]+)?[eE][-+]?[0-9]+$/;

/**
 * Resolves a plain scalar like PyYAML's SafeLoader (YAML 1.1). Dates stay strings, because tapes mean their text, and
 * so do octal, hexadecimal and sexagesimal numbers.
 */
export function resolvePlain(text: string): PlainValue {
  if (NULL.test(text)) return { type: 'literal', value: null };
  if (TRUE.test(text)) return { type: 'literal', value: true };
  if (FALSE.test(text)) return { type: 'literal', value: false };
  if (DECIMAL.test(text) || FLOAT.test(text) || OTHER_FLOAT.test(text))
    return { type: 'number', lexeme: jsonLexeme(text) };
  return { type: 'string', value: text };
}

/** A number in JSON's notation. YAML needs the fraction in `1.0e+21`, which JSON's writers leave out. */
function jsonLexeme(text: string): string {
  const plain = text.replaceAll('_', '').replace(/^\+/, '');
  const withInteger = plain.replace(/^(-?)\./, '$10.');
  return withInteger.replace(/\.(?=$|[eE])/, '.0').replace(/\.0(?=[eE])/, '');
}

/** The types of PyYAML's SafeLoader. */
export type PyyamlType = 'null' | 'boolean' | 'integer' | 'float' | 'date' | 'string';

const PYYAML_NULL = /^(?:~|null|Null|NULL|)$/;
const PYYAML_BOOLEAN = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;
/** Binary, octal, decimal, hexadecimal, and 12:30 in base 60. */
const PYYAML_INTEGER =
  /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const PYYAML_FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const PYYAML_DATE =
  /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$/;

/** The type of a plain scalar, by the expressions of PyYAML's resolver. */
export function pyyamlType(scalar: string): PyyamlType {
  if (PYYAML_NULL.test(scalar)) return 'null';
  if (PYYAML_BOOLEAN.test(scalar)) return 'boolean';
  if (PYYAML_INTEGER.test(scalar)) return 'integer';
  if (PYYAML_FLOAT.test(scalar)) return 'float';
  return PYYAML_DATE.test(scalar) ? 'date' : 'string';
}
