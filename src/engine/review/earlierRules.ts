import { CONFIG_FILE } from '../../core/project/layout';
import { NO_CONFIG, type ProjectConfig } from '../../core/project/projectConfig';
import type { Environment } from '../../core/secrets/environmentSecrets';
import { CaseError } from '../errors/failures';
import { Repository } from '../git/repository';
import type { RevisionSpan, SinceRevision } from '../git/revision';
import { parseConfig, projectConfig } from '../project/projectConfig';
import { recorderOf } from '../recording/openRecorder';
import type { Recorder } from '../recording/recorder';

/** A file of the project where a span of commits begins, by its path from the root; undefined if it was not there. */
export async function textBefore(
  root: string,
  repository: Repository,
  span: SinceRevision,
  path: string,
): Promise<string | undefined> {
  const bytes = await repository.fileBefore(span, await repository.pathOf(root, path));
  return bytes && new TextDecoder().decode(bytes);
}

/**
 * The `tapedeck.toml` by which the changes of a span are shown. Of commits, it is the one where they begin, because what is reviewed must
 * not hide its own changes: not as noise, not as secrets, and not by its prices. One that is broken there has no rules.
 */
export async function configOfSpan(root: string, span: RevisionSpan): Promise<ProjectConfig> {
  if (span.type !== 'since') return projectConfig(root);
  const text = await textBefore(root, await Repository.require(root), span, CONFIG_FILE);
  try {
    return text === undefined ? NO_CONFIG : await parseConfig(text);
  } catch (error) {
    if (error instanceof CaseError) return NO_CONFIG;
    throw error;
  }
}

/** What hides secrets where the changes of a span are shown. */
export async function recorderOfSpan(root: string, span: RevisionSpan, environment: Environment): Promise<Recorder> {
  return recorderOf(root, await configOfSpan(root, span), environment);
}
