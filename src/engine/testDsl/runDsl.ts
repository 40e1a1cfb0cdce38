import { dirname, resolve } from 'node:path';
import type { Artifact } from '../../core/model/artifact';
import { dslArtifact } from '../../core/testDsl/dslArtifact';
import { type DslSource, promptOf, sourceOf } from '../../core/testDsl/dslCase';
import type { DslDocument } from '../../core/testDsl/dslDocument';
import { AgentError } from '../errors/runErrors';
import { isSystemError, systemReason } from '../errors/systemError';
import { TemporaryFolder } from '../files/temporaryFolder';
import type { NetworkPolicy } from '../network/policy';
import type { ChatProvider } from '../providers/chatProvider';
import { RecordingProvider } from '../providers/recorder';
import { claimTape } from '../recording/claimTape';
import type { Recorder } from '../recording/recorder';
import { replaceTape, requireRecordable } from '../recording/replaceTape';
import { newTape } from '../recording/writeTake';
import { type DslResult, type RunError, runDslAgent } from './dslAgent';
import { DslReplay, DslScript } from './dslProviders';
import { DslUpstream, dslEndpoint } from './dslUpstream';

interface DslOptions {
  /** The root of the project, in which a tape may be written. */
  readonly root: string;
  readonly casePath: string;
  readonly recorder: Recorder;
  readonly network: NetworkPolicy;
  readonly signal: AbortSignal;
  onNotice(line: string): void;
}

/** The result of a case without its secrets. */
interface DslOutcome {
  readonly artifact: Artifact;
  readonly error: RunError | undefined;
}

/** Runs a case as `mofa test-dsl` does. Rejects with a `DslRefusal`, a `ProviderError`, or an `AgentError` for one that MoFA does not run. */
export async function runDsl(document: DslDocument, options: DslOptions): Promise<DslOutcome> {
  const source = sourceOf(document);
  const run = (provider: ChatProvider) => runInWorkspace(document, provider, options);
  const { run: done, error } =
    source.kind === 'record' ? await record(document, source, run, options) : await run(await playing(source, options));
  const artifact = options.recorder.value(dslArtifact(document, promptOf(document), done));
  return { artifact, error };
}

async function playing(
  source: Exclude<DslSource, { kind: 'record' }>,
  { casePath }: DslOptions,
): Promise<ChatProvider> {
  return source.kind === 'script'
    ? new DslScript(source.steps)
    : DslReplay.open(resolve(dirname(casePath), source.path));
}

/** Records the tape. Unlike MoFA, which writes it after every response, only a run that ended without an error replaces it. */
async function record(
  document: DslDocument,
  { path, provider }: Extract<DslSource, { kind: 'record' }>,
  run: (provider: ChatProvider) => Promise<DslResult>,
  { root, casePath, recorder, network, onNotice }: DslOptions,
): Promise<DslResult> {
  const endpoint = await dslEndpoint(provider, network.keys);
  const tapePath = resolve(dirname(casePath), path);
  await requireRecordable(root, tapePath);
  const hiding = recorder.withKey(endpoint.keyName, endpoint.key);
  const recording = new RecordingProvider(new DslUpstream(endpoint, network), hiding);
  const release = await claimTape({ root, tapePath }, onNotice);
  try {
    const result = await run(recording);
    if (result.error !== undefined) return result;
    const take = { tapePath, caseName: document.name, interactions: recording.interactions, recorder: hiding };
    await replaceTape({ root, tapePath, content: await newTape(take, undefined) });
    return result;
  } finally {
    await release();
  }
}

async function runInWorkspace(
  document: DslDocument,
  provider: ChatProvider,
  { signal }: DslOptions,
): Promise<DslResult> {
  const workspace = await TemporaryFolder.create();
  try {
    await workspace.makeFolder('sessions');
    for (const { path, content } of document.bootstrap_files) await writeFile(workspace, path, content);
    return await runDslAgent(document, promptOf(document), provider, workspace, signal);
  } finally {
    await workspace.remove();
  }
}

/** Writes a file of the case. Unlike MoFA, nothing is written out of the workspace. */
async function writeFile(workspace: TemporaryFolder, path: string, content: string): Promise<void> {
  const refused = (reason: string) =>
    new AgentError(
      'case',
      `failed to create test workspace: ${reason}`,
      `Change \`${path}\` under [[bootstrap_files]].`,
    );
  if (!workspace.contains(path)) throw refused(`\`${path}\` is outside of it`);
  try {
    await workspace.write(path, content);
  } catch (error) {
    throw isSystemError(error) ? refused(systemReason(error)) : error;
  }
}
