import { interactionJson } from '../../core/export/interactionJson';
import { prettyJson } from '../../core/json/json';
import { readRecordedFile } from '../commands/recordedFile';
import { UserError } from '../project/userError';
import { projectPath } from './projectPath';

/** An interaction as `tapedeck inspect --json` gives it. */
export async function readInteraction(root: string, named: string, index: number): Promise<string> {
  const recorded = await readRecordedFile(await projectPath(root, named), root);
  if (recorded.kind !== 'tape') throw new UserError(`${named} is an artifact, not a tape`);
  const { interactions } = recorded.tape;
  const interaction = interactions[index];
  if (interaction === undefined) {
    throw new UserError(`${named} has ${interactions.length} interactions, from 0: there is no ${index}`);
  }
  return prettyJson(interactionJson(interaction));
}
