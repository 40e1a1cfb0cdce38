import { EXIT_CODES } from '../../core/cases/runOutcome';
import { jsonDocument } from '../reporters/jsonDocument';
import type { SelfCheckDocument } from '../reporters/jsonDocuments';
import { isSound, selfCheck, selfCheckText } from '../selfCheck/selfCheck';
import type { Terminal } from '../terminal/terminal';

/** Prints what Tapedeck can use on this machine, and what is missing for what. */
export async function printSelfCheck(wantsJson: boolean, terminal: Terminal): Promise<number> {
  const checked = await selfCheck(terminal.cwd, terminal.signal);
  const isOk = isSound(checked);
  terminal.print(wantsJson ? jsonDocument<SelfCheckDocument>(isOk, checked) : selfCheckText(checked));
  return isOk ? EXIT_CODES.ok : EXIT_CODES.failed;
}
