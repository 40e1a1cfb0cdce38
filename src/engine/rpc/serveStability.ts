import type { RunEvent, StabilityFound, StabilityParams } from '../../protocol/engine';
import { createPaint } from '../commands/paint';
import type { AskEditor } from '../providers/editorModel';
import { keyEnvironment } from './keyEnvironment';

/** Records a case several times for the editor, and tells what came of it as the command line does. */
export async function serveStability(
  { runId, root, casePath, times, keys }: StabilityParams,
  signal: AbortSignal,
  askEditor: AskEditor,
  emit: (event: RunEvent) => void,
): Promise<StabilityFound> {
  const { checkStability } = await import('../stability/checkStability');
  const { stabilitySummary, stabilityText } = await import('../reporters/stabilityText');
  const found = await checkStability(casePath, {
    root,
    times,
    signal,
    askEditor,
    env: keyEnvironment(keys),
    onTake: (index) => emit({ runId, type: 'interaction', casePath, index, summary: `take ${index + 1} of ${times}` }),
    onNotice: (notice) => console.error(`${casePath}: ${notice}`),
  });
  return {
    report: stabilityText(found, createPaint(false)),
    summary: stabilitySummary(found),
    snippets: found.stability?.suggestion?.snippets ?? [],
  };
}
