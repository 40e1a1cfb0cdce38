import { dirname } from 'node:path';
import { defaultTape } from '../../../core/cases/caseKind';
import { readSessions } from '../../../core/flakestorm/session';
import { findConfig, resolveContract } from '../../flakestorm/findConfig';
import { runSession } from '../../flakestorm/runSession';
import { Subject } from '../../flakestorm/subject';
import { CaseError, caseFailure } from '../failures';
import type { CaseFile } from '../openCase';
import type { RunnableCase } from '../runnableCase';
import { understood } from './synthetic';

/** A replay session in a file of its own. Its contract is looked for beside it, as `flakestorm replay run` does. */
export function openSession(file: CaseFile): RunnableCase {
  const sessions = understood(file, readSessions(file.text));
  const found = sessions.length === 1 ? sessions[0] : sessions.find(({ session }) => session.id === file.id);
  if (found === undefined) {
    const ids = sessions.map(({ session }) => session.id).join(', ');
    throw new CaseError([caseFailure(`${file.name}: name one of its sessions: ${ids}`)]);
  }
  const { session } = found;
  const tape = found.tape ?? defaultTape(file.path, sessions.length === 1 ? undefined : session.id);
  const folder = dirname(file.path);
  return {
    name: session.name || session.id,
    async plan(mode, root) {
      const { config, path: configPath } = (await findConfig(folder, root)) ?? {};
      return {
        mode,
        async execute(options) {
          const contract = await resolveContract(session.contract, config, folder);
          return runSession(new Subject(config, mode, file, options, configPath), { session, tape, config, contract });
        },
      };
    },
  };
}
