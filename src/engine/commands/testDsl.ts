import { dirname } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { type ComparisonReport, compareArtifacts, MOFA_FIELDS } from '../../core/cases/artifactFile';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import type { Artifact } from '../../core/model/artifact';
import type { BaselineComparison } from '../../core/model/run';
import { DslRefusal } from '../../core/testDsl/dslCase';
import { artifactDocument, type BaselineDocument, type DslDocument, dslDocument } from '../../core/testDsl/dslDocument';
import { SerdeError } from '../../core/testDsl/serde';
import { readSerdeJson } from '../../core/testDsl/serdeJson';
import { readSerdeToml } from '../../core/testDsl/serdeToml';
import { LineIndex } from '../../core/text/source';
import { utf8Text } from '../../core/text/utf8Text';
import { assertionMessage } from '../cases/assertionFailures';
import { AgentError, ProviderError } from '../errors/runErrors';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { pathExists } from '../files/fileStatus';
import { pathOfUser } from '../files/pathOfUser';
import { readBytes } from '../files/readFile';
import { NetworkPolicy } from '../network/policy';
import { findRootWithTape } from '../project/findRoot';
import { createRecorders } from '../recording/openRecorder';
import type { RecordedContent } from '../recording/recordedContent';
import { exportRecorded } from '../recording/writeRecorded';
import { dslReportJson, dslReportText, dslSummaryJson, dslSummaryText } from '../reporters/dslReport';
import type { Terminal } from '../terminal/terminal';
import { runDsl } from '../testDsl/runDsl';
import { type Arguments, choice, command, flag, once, text, UsageError } from './command';
import { keyRing, NETWORK_OPTIONS } from './networkOptions';

const FORMATS = ['text', 'json', 'table'] as const;

const OPTIONS = {
  artifactOut: once(text('FILE', 'Write the artifact of the run')),
  reportOut: once(text('FILE', 'Write a test report')),
  reportFormat: once(choice('FORMAT', ['json', 'text'], 'The format of the report: json (the default) or text')),
  baselineIn: once(text('FILE', 'Compare the run with this artifact')),
  baselineOut: once(text('FILE', 'Write the artifact as a baseline')),
  comparisonOut: once(text('FILE', 'Write the comparison with --baseline-in')),
  failOnDiff: once(flag('Fail when the run differs from --baseline-in')),
  outputFormat: choice('FORMAT', FORMATS, 'text (the default), json or table; also accepted before test-dsl'),
  output: choice('FORMAT', FORMATS, "MoFA's earlier name of --output-format", 'o'),
  verbose: flag('Accepted for compatibility with MoFA; has no effect', 'v'),
  config: text('FILE', 'Accepted for compatibility with MoFA; has no effect', 'c'),
  json: flag('Short for --output-format json'),
  ...NETWORK_OPTIONS,
};
type Given = Arguments<typeof OPTIONS>;

export const testDslCommand = command({
  usage: 'FILE [OPTIONS]',
  about: 'Run one case exactly as `mofa test-dsl` does: the same flags, output, files and exit codes',
  options: OPTIONS,
  details: `As in MoFA, a script at its end returns a stock response, a tape repeats its last one, an agent that reaches its limit of
iterations or whose provider fails does not fail the case by itself, and a difference does not fail without
--fail-on-diff. Keys and assertions that MoFA does not have are ignored. For strict runs, use tapedeck run.

Exit codes: 0 or 1; 2 for a command line that is not understood.`,
  examples: [
    'tapedeck test-dsl refund.toml --artifact-out refund.artifact.json',
    'tapedeck --output-format json test-dsl refund.toml --baseline-in refund.baseline.json --fail-on-diff',
  ],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const [file, ...more] = args.positionals;
  if (file === undefined || more.length > 0) throw new UsageError('pass exactly one case');
  try {
    await testDsl(file, args, terminal);
    return EXIT_CODES.ok;
  } catch (error) {
    if (!(error instanceof DslError)) throw error;
    terminal.note([error.message, ...error.details.map((line) => `  ${line}`)].join('\n'));
    return EXIT_CODES.failed;
  }
}

/** Writes the files in MoFA's order, and only then fails. */
async function testDsl(file: string, args: Given, terminal: Terminal): Promise<void> {
  const { artifact, recorder, runError } = await execute(file, args, terminal);
  const { artifactOut, baselineIn, baselineOut, comparisonOut, reportOut } = args.options;
  const baseline = await readBaseline(baselineIn, terminal.cwd);
  const write = (file: string | undefined, content: () => RecordedContent) => writeOut(file, content, terminal.cwd);
  await write(artifactOut, () => recorder.artifact(artifact));
  await write(baselineOut, () => recorder.artifact(artifact));
  const comparison = baseline && recorder.value(compareArtifacts(baseline, artifact, MOFA_FIELDS));
  await write(comparisonOut, () => recorder.jsonReport(comparisonReport(baseline, artifact, comparison)));
  const report = args.options.reportFormat === 'text' ? dslReportText : dslReportJson;
  await write(reportOut, () => recorder.textReport(report(artifact)));
  const format = args.options.json ? 'json' : (args.options.output ?? args.options.outputFormat);
  terminal.print((format === 'json' ? dslSummaryJson : dslSummaryText)(artifact, comparison));
  if (runError !== undefined) terminal.note(`the run failed: ${runError.message}\n  ${runError.fix}`);
  if (args.options.failOnDiff && comparison?.matches === false) throw new DslError('baseline comparison mismatch');
  const failed = assertionError(file, artifact);
  if (failed !== undefined) throw failed;
}

async function execute(file: string, args: Given, terminal: Terminal) {
  const { cwd, env, signal, note } = terminal;
  const casePath = pathOfUser(cwd, file);
  const document = readDslCase(file, await readDslFile(casePath));
  const root = rootOf(casePath, document, cwd);
  // As in MoFA, a case with a provider is recorded.
  const mode = document.llm?.provider == null ? 'replay' : 'record';
  const network = NetworkPolicy.for(mode, await keyRing(args, terminal, root));
  try {
    const recorder = await createRecorders(env)(root);
    const outcome = await runDsl(document, { root, casePath, recorder, network, signal, onNotice: note });
    return { artifact: outcome.artifact, recorder, runError: outcome.error };
  } catch (error) {
    throw refusedCase(error, file);
  }
}

function rootOf(casePath: string, { llm }: DslDocument, cwd: string): string {
  const folder = dirname(casePath);
  return findRootWithTape(folder, pathOfUser(folder, llm?.record_tape ?? '.'), cwd);
}

async function readDslFile(path: string): Promise<string> {
  const unreadable = (reason: string) => failedTest(`failed to read DSL file: ${reason}`, [path]);
  const bytes = await readBytes(path, FILE_LIMITS.case).catch((error: unknown) => {
    throw isSystemError(error) ? unreadable(systemReason(error)) : error;
  });
  const text = utf8Text(bytes);
  if (text === undefined) throw unreadable('it is not UTF-8');
  return text;
}

/** Reads a baseline as strictly as MoFA does. */
async function readBaseline(path: string | undefined, cwd: string): Promise<BaselineDocument | undefined> {
  if (path === undefined) return undefined;
  const unreadable = (reason: string) =>
    new DslError(`failed to read the baseline: ${path}: ${reason}`, ['Write one first, with --baseline-out.']);
  const bytes = await readBytes(pathOfUser(cwd, path), FILE_LIMITS.artifact).catch((error: unknown) => {
    throw isSystemError(error) ? unreadable(systemReason(error)) : error;
  });
  const text = utf8Text(bytes);
  if (text === undefined) throw unreadable('it is not UTF-8');
  try {
    return readSerdeJson(text, artifactDocument);
  } catch (error) {
    if (!(error instanceof SerdeError)) throw error;
    const { line, column } = new LineIndex(text).position(error.span.start);
    throw new DslError(`failed to read the baseline: it is not an artifact: ${error.message}`, [
      `${path}:${line}:${column}`,
      'Write it again with --baseline-out.',
    ]);
  }
}

function comparisonReport(
  baseline: BaselineDocument | undefined,
  candidate: Artifact,
  comparison: BaselineComparison | undefined,
): ComparisonReport {
  if (baseline === undefined || comparison === undefined)
    throw new DslError('comparison output requires --baseline-in');
  return {
    case_name: candidate.case_name,
    ...comparison,
    baseline_execution_id: baseline.execution_id,
    candidate_execution_id: candidate.execution_id,
  };
}

async function writeOut(path: string | undefined, content: () => RecordedContent, cwd: string): Promise<void> {
  if (path === undefined) return;
  const target = pathOfUser(cwd, path);
  if (!pathExists(dirname(target))) throw new DslError(`failed to write ${path}: there is no such folder`);
  try {
    await exportRecorded(target, content());
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new DslError(`failed to write ${path}: ${systemReason(error)}`);
  }
}

/** An error that ends `test-dsl` with exit code 1: MoFA's text, with the position and the fix as `details`. */
class DslError extends Error {
  constructor(
    message: string,
    readonly details: readonly string[] = [],
  ) {
    super(message);
    this.name = 'DslError';
  }
}

/** The error of a failed test, as opposed to one of the flags. */
function failedTest(reason: string, details: readonly string[] = []): DslError {
  return new DslError(`DSL test failed: ${reason}`, details);
}

/** Reads a case by MoFA's rules. Throws a `DslError` with the position of the first thing that MoFA refuses. */
function readDslCase(path: string, text: string): DslDocument {
  try {
    return readSerdeToml(text, dslDocument);
  } catch (error) {
    if (!(error instanceof SerdeError)) throw error;
    const { line, column } = new LineIndex(text).position(error.span.start);
    const message = error.message.replace(/^invalid TOML: /, '');
    throw failedTest(`failed to parse TOML DSL: ${message}`, [`${path}:${line}:${column}`]);
  }
}

/** The error of a case that MoFA does not run; other errors are returned unchanged. */
function refusedCase(error: unknown, path: string): unknown {
  if (error instanceof DslRefusal) return failedTest(error.message, [path, error.fix]);
  if (error instanceof ProviderError) {
    const isTape = error.kind === 'replay' || error.kind === 'case';
    return failedTest(isTape ? `replay error: ${error.message}` : error.message, [path, error.fix]);
  }
  if (error instanceof AgentError) return failedTest(`runner error: ${error.message}`, [path, error.fix]);
  if (error instanceof UserError)
    return failedTest(error.message, [path, ...(error.fix === undefined ? [] : [error.fix])]);
  return error;
}

/** The error of the first assertion that failed; undefined if all hold. */
function assertionError(path: string, { assertions }: Artifact): DslError | undefined {
  const failed = assertions.find(({ passed }) => !passed);
  return failed && failedTest(assertionMessage(failed), [path]);
}
