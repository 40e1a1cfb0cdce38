import { isRecord, type Json, prettyJson } from '../json/json';
import { jsonValue, member, readJson } from '../json/jsonDocument';
import type { Problem, Reading, Span } from '../text/source';
import type { InteractionVerdict } from './verdict';

/**
 * The canonical result of a run: MoFA's `AgentRunArtifact` (mofa-org/mofa, pull request 1581, `tests/src/artifact.rs`).
 * Field names and order are MoFA's, so that either tool reads the other's files. Times are milliseconds.
 */
export interface Artifact {
  readonly case_name: string;
  readonly status: 'passed' | 'failed';
  readonly output_text: string | null;
  readonly runner_error: string | null;
  readonly duration_ms: number;
  readonly started_at_ms: number;
  readonly execution_id: string;
  readonly session_id: string | null;
  readonly workspace_root: string;
  readonly agent: { readonly id: string; readonly name: string };
  readonly assertions: readonly AssertionResult[];
  readonly tool_calls: readonly ToolCallRecord[];
  readonly llm_request: Json;
  readonly llm_response: Json;
  readonly session_snapshot: {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  } | null;
  readonly workspace_before: WorkspaceSnapshot;
  readonly workspace_after: WorkspaceSnapshot;
  /** What Tapedeck adds; MoFA ignores it. */
  readonly tapedeck?: ArtifactExtension;
}

export interface ArtifactExtension {
  readonly mode: RunMode;
  /** The tape that served or received the run, relative to the case's folder. */
  readonly tape?: string;
  /** How the user's own agent ended. */
  readonly process?: ArtifactProcess;
  /** In a replay: what it used of each tape, by its path from the project's root. Baselines do not have it. */
  readonly tape_uses?: Json;
  /** What the kind of case adds, such as the matrix of a contract or the invocations of a scripted backend. */
  readonly details?: Json;
  /** In a replay: what came of each request, and of what was recorded beside. */
  readonly verdicts?: readonly InteractionVerdict[];
}

export interface ArtifactProcess {
  readonly command: readonly string[];
  /** Null when a signal ended it. */
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How the model's answers come about in a run. */
export type RunMode = 'replay' | 'record' | 'live' | 'scripted';

export interface AssertionResult {
  readonly kind: string;
  readonly expected: Json;
  readonly actual: Json;
  readonly passed: boolean;
  /** Tapedeck: what was found, as a sentence, where expected and actual do not tell it by themselves. */
  readonly details?: string;
}

export interface ToolCallRecord {
  readonly tool_name: string;
  readonly input: Json;
  readonly output: Json;
  readonly success: boolean;
  readonly duration_ms: number | null;
  readonly timed_out: boolean;
}

export interface WorkspaceSnapshot {
  readonly files: readonly WorkspaceFile[];
}

export interface WorkspaceFile {
  readonly relative_path: string;
  readonly size_bytes: number;
  readonly modified_ms: number | null;
  /** An unsigned 64-bit SipHash of the content. */
  readonly checksum: number | bigint;
}

/** Pretty JSON without a final newline, as MoFA writes it. */
export function writeArtifact(artifact: Artifact): string {
  return prettyJson(artifact);
}

/**
 * An artifact as a baseline, which is committed: without the path of the workspace, which is gone when the run is over,
 * differs each time and on some systems holds the user's name (MoFA wants the field, not a value in it), and without
 * what the run used of its tapes.
 */
export function writeBaseline(artifact: Artifact): string {
  const { tape_uses: _, ...tapedeck } = artifact.tapedeck ?? {};
  const kept = artifact.tapedeck === undefined ? {} : { tapedeck: { ...tapedeck, mode: artifact.tapedeck.mode } };
  return writeArtifact({ ...artifact, workspace_root: '', ...kept });
}

/** Reads an artifact or baseline. A field of the wrong shape is a problem, and then there is no artifact. */
export function readArtifact(text: string): Reading<Artifact> {
  const { value: node, problems } = readJson(text);
  if (node === undefined || problems.length > 0) return { value: undefined, problems };
  const value = jsonValue(node);
  if (!isRecord(value)) return { value: undefined, problems: [problem('the object around it', node)] };
  const wrong = FIELDS.find(([key, check]) => !check(value[key]))?.[0];
  if (wrong !== undefined) return { value: undefined, problems: [problem(wrong, member(node, wrong) ?? node)] };
  return { value: withDefaults(value as unknown as Artifact), problems: [] };
}

function problem(what: string, { start, end }: Span): Problem {
  return {
    severity: 'error',
    message: `this is not a run artifact: ${what} is missing or of the wrong type`,
    fix: 'Run the case again and accept its result as the new baseline.',
    span: { start, end },
  };
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isCount = (value: unknown): boolean => typeof value === 'number';
const isFileList = (value: unknown): boolean => isRecord(value) && Array.isArray(value.files);
const isListOf = (check: (item: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(check);
const isAssertion = (item: unknown): boolean => isRecord(item) && isText(item.kind) && typeof item.passed === 'boolean';
const isToolCall = (item: unknown): boolean => isRecord(item) && isText(item.tool_name);
/** Rust's `Option`: absent, null, or this. */
const isOption = (check: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || value === null || check(value);

/** MoFA's fields, with the part of their shape that anything here relies on. */
const FIELDS: readonly (readonly [string, (value: unknown) => boolean])[] = [
  ['case_name', isText],
  ['status', (value) => value === 'passed' || value === 'failed'],
  ['output_text', isOption(isText)],
  ['runner_error', isOption(isText)],
  ['duration_ms', isCount],
  ['started_at_ms', isCount],
  ['execution_id', isText],
  ['session_id', isOption(isText)],
  ['workspace_root', isText],
  ['agent', isRecord],
  ['assertions', isListOf(isAssertion)],
  ['tool_calls', isListOf(isToolCall)],
  ['session_snapshot', isOption(isRecord)],
  ['workspace_before', isFileList],
  ['workspace_after', isFileList],
];

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
