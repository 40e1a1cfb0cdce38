import { dirname, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { type ComparisonReport, compareArtifacts, MOFA_FIELDS } from '../../core/cases/artifactFile';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import type { Artifact } from '../../core/model/artifact';
import type { BaselineComparison } from '../../core/model/run';
import { isSystemError, systemReason } from '../errors/systemError';
import { executeCase } from '../execution/executeCase';
import { executeHidden } from '../execution/hideExecution';
import { planLikeMofa } from '../execution/planRun';
import { type ExecuteOptions, startedByUser } from '../execution/runnableCase';
import { readText } from '../files/readFile';
import { NetworkPolicy } from '../network/policy';
import { findRoot } from '../project/findRoot';
import { createRecorders } from '../recording/openRecorder';
import type { RecordedContent } from '../recording/recordedContent';
import { exportRecorded } from '../recording/writeRecorded';
import { dslReportJson, dslReportText, dslSummaryJson, dslSummaryText } from '../reporters/dslReport';
import { readStoredArtifact } from '../review/baseline';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, type CliCommand, UsageError } from './command';
import { DslError, failedTest, readDslCase, runError, startError } from './dslError';
import { keyRing, NETWORK_OPTIONS } from './networkOptions';

export const testDslCommand: CliCommand = {
  name: 'test-dsl',
  usage: 'FILE [OPTIONS]',
  about: 'Run one case exactly as `mofa test-dsl` does: the same flags, output, files and exit codes',
  options: {
    'artifact-out': { value: 'FILE', about: 'Write the artifact of the run' },
    'report-out': { value: 'FILE', about: 'Write a test report' },
    'report-format': {
      value: 'FORMAT',
      about: 'The format of the report: json (the default) or text',
      choices: ['json', 'text'],
    },
    'baseline-in': { value: 'FILE', about: 'Compare the run with this artifact' },
    'baseline-out': { value: 'FILE', about: 'Write the artifact as a baseline' },
    'comparison-out': { value: 'FILE', about: 'Write the comparison with --baseline-in' },
    ...NETWORK_OPTIONS,
    'fail-on-diff': { about: 'Fail when the run differs from --baseline-in' },
    'output-format': {
      value: 'FORMAT',
      about: 'text (the default), json or table; also accepted before test-dsl',
      choices: ['text', 'json', 'table'],
    },
  },
  details: `As in MoFA, a script at its end returns a stock response, a tape repeats its last one, \`status:\` means only that there
was no error, and a difference does not fail without --fail-on-diff. For strict runs, use tapedeck run.

Exit codes: 0 or 1.`,
  examples: [
    'tapedeck test-dsl refund.toml --artifact-out refund.artifact.json',
    'tapedeck --output-format json test-dsl refund.toml --baseline-in refund.baseline.json --fail-on-diff',
  ],
  run,
};

async function run(args: Arguments, terminal: Terminal): Promise<number> {
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

/** Writes the files in MoFA's order. Reads the baseline first, because `--baseline-out` may name the same file. */
async function testDsl(file: string, args: Arguments, terminal: Terminal): Promise<void> {
  const started = performance.now();
  const baseline = await readBaseline(args.text('baseline-in'), terminal.cwd);
  const { execution, recorder } = await execute(file, args, terminal);
  const { artifact } = execution;
  const error = runError(file, execution.run, artifact);
  const write = (flag: string, content: () => RecordedContent) => writeOut(args.text(flag), content, terminal.cwd);
  await write('artifact-out', () => recorder.artifact(artifact));
  await write('baseline-out', () => recorder.artifact(artifact));
  const comparison = baseline && recorder.value(compareArtifacts(baseline, artifact, MOFA_FIELDS));
  await write('comparison-out', () => recorder.jsonReport(comparisonReport(baseline, artifact, comparison)));
  const report = {
    artifact,
    error: error?.message.replace('DSL test failed: ', ''),
    timestamp: Date.now(),
    totalMs: Math.round(performance.now() - started),
  };
  await write('report-out', () =>
    args.text('report-format') === 'text'
      ? recorder.textReport(dslReportText(report))
      : recorder.jsonReport(dslReportJson(report)),
  );
  const summary = args.text('output-format') === 'json' ? dslSummaryJson : dslSummaryText;
  terminal.print(summary(artifact, comparison));
  if (args.has('fail-on-diff') && comparison?.matches === false) throw new DslError('baseline comparison mismatch');
  if (error !== undefined) throw error;
}

async function execute(file: string, args: Arguments, terminal: Terminal) {
  const { cwd, env, signal, note } = terminal;
  const casePath = resolve(cwd, file);
  const testCase = readDslCase(file, await readDslFile(casePath));
  const root = findRoot(dirname(casePath), cwd);
  const plan = planLikeMofa(testCase.llm);
  // As in MoFA, a case with a provider and a tape to record is recorded.
  const network = NetworkPolicy.for(plan.mode === 'record' ? 'record' : 'replay', await keyRing(args, terminal, root));
  const given = { root, casePath, strict: false, permitStart: startedByUser, signal, network, onNotice: note };
  try {
    const recorder = await createRecorders(env)(root);
    const options: ExecuteOptions = { ...given, recorder };
    const planned = { execute: () => executeCase(testCase, plan, options) };
    return { execution: await executeHidden(planned, options), recorder };
  } catch (error) {
    throw startError(error, file);
  }
}

async function readDslFile(path: string): Promise<string> {
  try {
    return await readText(path, FILE_LIMITS.case);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw failedTest(`failed to read DSL file: ${systemReason(error)}`, [path]);
  }
}

async function readBaseline(path: string | undefined, cwd: string): Promise<Artifact | undefined> {
  if (path === undefined) return undefined;
  const stored = await readStoredArtifact(resolve(cwd, path), path);
  if (stored.type === 'artifact') return stored.artifact;
  const [problem] = stored.type === 'unreadable' ? stored.failures : [];
  const fix = problem?.fix ?? 'Write one first, with --baseline-out.';
  throw new DslError(`failed to read the baseline: ${problem?.message ?? `${path}: there is no such file`}`, [fix]);
}

function comparisonReport(
  baseline: Artifact | undefined,
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
  const target = resolve(cwd, path);
  try {
    await exportRecorded(target, content());
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new DslError(`failed to write ${path}: ${systemReason(error)}`);
  }
}
