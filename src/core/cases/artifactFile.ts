import { isRecord, type Json, jsonEqual, prettyJson } from '../json/json';
import { exactValue, member, readJson } from '../json/readJson';
import type { Artifact, ArtifactExtension } from '../model/artifact';
import type { BaselineComparison } from '../model/run';
import { accepts, refusedMember } from '../schema/accepts';
import {
  anything,
  flag,
  list,
  nullable,
  number,
  object,
  optional,
  type Schema,
  shape,
  text as string,
  trusted,
} from '../schema/schema';
import { t } from '../text/l10n';
import type { ParseResult, Problem, Span } from '../text/source';

/** Writes pretty JSON without a final newline, as MoFA does. */
export function writeArtifact(artifact: Artifact): string {
  const assertions = artifact.assertions.map(({ said: _, ...result }) => result);
  return prettyJson({ ...artifact, assertions });
}

/**
 * Writes an artifact as a baseline, which is committed: without the path of the workspace, which is temporary and may
 * contain the user's name (MoFA requires the field, not a value), and without the interactions that the run used, and what
 * the agent logged.
 */
export function writeBaseline(artifact: Artifact): string {
  const { tapedeck } = artifact;
  return writeArtifact({ ...artifact, workspace_root: '', ...(tapedeck && { tapedeck: committedPart(tapedeck) }) });
}

function committedPart({ tape_uses: _, process, ...extension }: ArtifactExtension): ArtifactExtension {
  if (process === undefined) return extension;
  const { stderr: __, ...kept } = process;
  return { ...extension, process: kept };
}

/** Reads an artifact or baseline. There is none if a field has the wrong type. */
export function readArtifact(text: string): ParseResult<Artifact> {
  const { value: node, problems } = readJson(text);
  if (node === undefined || problems.length > 0) return { value: undefined, problems };
  const value = exactValue(node);
  if (accepts(ARTIFACT, value)) return { value: withDefaults(value), problems: [] };
  const wrong = isRecord(value) ? refusedMember(ARTIFACT, value) : undefined;
  if (wrong === undefined) return { value: undefined, problems: [artifactProblem(t('the top-level object'), node)] };
  return { value: undefined, problems: [artifactProblem(wrong, member(node, wrong) ?? node)] };
}

function artifactProblem(what: string, { start, end }: Span): Problem {
  return {
    severity: 'error',
    message: t('this is not a run artifact: {0} is missing or has the wrong type', what),
    fix: t('Run the case again and accept its result as the new baseline.'),
    span: { start, end },
  };
}

/** Rust's `Option`: absent, null, or this. */
const option = <T>(schema: Schema<T>) => optional(nullable(schema));
const SNAPSHOT = shape({ files: list(anything()) });

/** MoFA's fields, looked at as far as the code relies on their shape. */
const ARTIFACT = trusted<Artifact>(
  shape({
    case_name: string(),
    status: string('', { enum: ['passed', 'failed'] }),
    output_text: option(string()),
    runner_error: option(string()),
    duration_ms: number(),
    started_at_ms: number(),
    execution_id: string(),
    session_id: option(string()),
    workspace_root: string(),
    agent: object(),
    assertions: list(shape({ kind: string(), passed: flag() })),
    tool_calls: list(shape({ tool_name: string() })),
    session_snapshot: option(object()),
    workspace_before: SNAPSHOT,
    workspace_after: SNAPSHOT,
  }),
);

/** Rust leaves an absent `Option` out or writes null; here it is always null. */
function withDefaults(artifact: Artifact): Artifact {
  return {
    ...artifact,
    output_text: artifact.output_text ?? null,
    runner_error: artifact.runner_error ?? null,
    session_id: artifact.session_id ?? null,
    llm_request: artifact.llm_request ?? null,
    llm_response: artifact.llm_response ?? null,
    session_snapshot: artifact.session_snapshot ?? null,
  };
}

/** The comparison file of `test-dsl --comparison-out`. */
export interface ComparisonReport extends BaselineComparison {
  readonly case_name: string;
  readonly baseline_execution_id: string;
  readonly candidate_execution_id: string;
}

/** What is compared of an artifact, which may be one of MoFA's. */
type ComparedArtifact = Pick<Artifact, 'output_text'> & {
  readonly status: string;
  readonly assertions: readonly { readonly kind: string; readonly passed: boolean }[];
  readonly tool_calls: readonly { readonly tool_name: string }[];
};

type ComparedField = readonly [name: string, value: (artifact: ComparedArtifact) => Json];

/** The four fields of MoFA's `compare_to`. Assertions are compared by kind and outcome, tool calls by name and order. */
export const MOFA_FIELDS: readonly ComparedField[] = [
  ['status', ({ status }) => status],
  ['output_text', ({ output_text }) => output_text],
  ['assertions', ({ assertions }) => assertions.map(({ kind, passed }) => ({ kind, passed }))],
  ['tool_calls', ({ tool_calls }) => tool_calls.map(({ tool_name }) => tool_name)],
];

/** Compares a run with its baseline, field by field, in the order of `fields`. */
export function compareArtifacts(
  baseline: ComparedArtifact,
  candidate: ComparedArtifact,
  fields: readonly ComparedField[],
): BaselineComparison {
  const differences = fields.flatMap(([field, read]) => {
    const expected = read(baseline);
    const actual = read(candidate);
    return jsonEqual(expected, actual) ? [] : [{ field, expected, actual }];
  });
  return { matches: differences.length === 0, differences };
}
