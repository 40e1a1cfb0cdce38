import { asRecord, asRecords, asString } from '../json/fields';
import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { YamlValue } from '../yaml/writeYaml';
import { writeYaml } from '../yaml/writeYaml';

/** A session file as written by `flakestorm replay`: its name and text. */
export interface SessionFile {
  readonly name: string;
  readonly text: string;
}

/**
 * The failed mutations of a report as sessions (`flakestorm replay export`). Flakestorm keeps only the golden prompt and
 * loses the mutation that failed; here the mutated prompt is the input, and the golden one is kept beside it.
 */
export function exportReport(report: Json): readonly SessionFile[] {
  const mutations = asRecords(asRecord(report).mutations);
  const failed = mutations.filter(({ passed }) => passed === false || passed === 0 || passed === null || passed === '');
  return failed.map((result, index) => {
    const mutation = asRecord(result.mutation);
    const original = asString(result.original_prompt) ?? '';
    const session = {
      id: `export-${index}`,
      name: `Exported failure: ${asString(mutation.type) ?? 'unknown'}`,
      source: 'flakestorm_export',
      input: asString(mutation.mutated) || original,
      original_prompt: original,
      tool_responses: [],
      expected_failure: asString(result.error) || 'One or more invariants failed',
      contract: 'default',
    };
    return { name: `replay-${index}.yaml`, text: sessionYaml(session) };
  });
}

/** Writes YAML like PyYAML's `dump(…, sort_keys=False, allow_unicode=True)`. */
function sessionYaml(session: { readonly [key: string]: YamlValue | undefined }): string {
  return writeYaml(session, { width: 80, binaryColumns: 76, binaryTag: '!!binary |\n' });
}

/** The parts of a LangSmith run that a session needs. */
export interface LangSmithRun {
  readonly id: string;
  readonly name?: string;
  readonly inputs: JsonRecord;
  readonly children: readonly { readonly name: string; readonly outputs: Json; readonly error?: string }[];
}

/** A run as a session: its children are the tools. Values other than texts and objects are wrapped in an object. */
export function langSmithSession({ id, name, inputs, children }: LangSmithRun): SessionFile {
  const session = {
    id,
    name,
    source: 'langsmith',
    input: inputOf(inputs),
    tool_responses: children.map(({ name: tool, outputs, error }) => ({
      tool,
      response:
        outputs === null
          ? undefined
          : typeof outputs === 'string' || isRecord(outputs)
            ? yaml(outputs)
            : { output: yaml(outputs) },
      status: error ? 0 : 200,
    })),
    contract: 'default',
  };
  const safe = (id || 'run').replace(/[/\\]/g, '_').slice(0, 64);
  return { name: `replay-${safe}.yaml`, text: sessionYaml(session) };
}

/** Flakestorm only reads `inputs.input`; LangChain agents may also have a message or a question. */
function inputOf(inputs: JsonRecord): string {
  const named = [inputs.input, inputs.question, inputs.query, inputs.prompt].find((value) => typeof value === 'string');
  if (typeof named === 'string') return named;
  const last = asRecords(inputs.messages).at(-1);
  return asString(last?.content) ?? '';
}

function yaml(value: Json): YamlValue {
  if (Array.isArray(value)) return value.map(yaml);
  if (!isRecord(value)) return value as YamlValue;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, yaml(item)]));
}
