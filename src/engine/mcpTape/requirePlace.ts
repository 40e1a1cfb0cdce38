import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import type { ProxyMode } from '../proxy/session/sessionOptions';
import { requireWritable } from '../recording/saveRecording';

export interface McpTapePlace {
  readonly mode: ProxyMode;
  /** The project's root. */
  readonly root: string;
  readonly tapePath: string;
  /** The format of a new tape, as given by the user. */
  readonly format: string | undefined;
}

const OWN_FORMAT = 'tapedeck';

/** Whether a recording to this tape has a place for the messages of MCP. Rejects with a `UserError` if it cannot be written at all. */
export async function hasPlace({ root, tapePath, format }: McpTapePlace): Promise<boolean> {
  return (await requireWritable(root, tapePath, format)).id === OWN_FORMAT;
}

/** Rejects with a `UserError` for a recording to any format but Tapedeck's own: no other has a place for the messages of MCP. */
export async function requirePlace({ mode, root, tapePath, format }: McpTapePlace): Promise<void> {
  if (mode !== 'record' && mode !== 'auto') return;
  const { id, label } = await requireWritable(root, tapePath, format);
  if (id === OWN_FORMAT) return;
  throw new UserError(
    () => t('{0} is a {1}, which has no place for the messages of MCP servers', tapePath, label),
    () => t('Record to a .tape.jsonl file.'),
  );
}
