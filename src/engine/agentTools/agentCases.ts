import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type {
  AgentCase,
  AgentCaseParams,
  AgentCasesApi,
  AllowAgentCaseParams,
  WithdrawAgentCasesParams,
} from '../../contracts/engine/agentCases';
import type { RootParams } from '../../contracts/engine/engineReviews';
import { acceptedMembers } from '../../core/schema/accepts';
import { parseDocument } from '../../core/schema/parseDocument';
import { named, object, shape, text } from '../../core/schema/schema';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import { openCase } from '../cases/openCase';
import { UserError } from '../errors/userError';
import type { CaseStart } from '../execution/runnableCase';
import { unconfined } from '../files/confinement';
import { realPath } from '../files/fileStatus';
import { fromRoot, resolveInProject } from '../files/projectPaths';
import { readUserState, writeUserState } from '../files/userState';

/** In the user's state folder, so that neither a workspace nor who writes files in it can allow anything. */
const FILE = 'agent-cases.json';

/** Stamps by the addresses of cases from the root, by the real path of the project. */
type Allowed = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const agentCasesApi: AgentCasesApi = {
  agentCase,
  allowAgentCase,
  allowedAgentCases,
  withdrawAgentCases,
};

async function agentCase({ root, casePath }: AgentCaseParams): Promise<AgentCase | null> {
  const start = await startOf(root, casePath);
  return start === undefined ? null : { ...describe(root, start), isAllowed: await isAllowed(root, start) };
}

async function allowAgentCase({ root, casePath, stamp }: AllowAgentCaseParams): Promise<void> {
  const start = await startOf(root, casePath);
  if (start === undefined || stampOf(root, start) !== stamp)
    throw new UserError(`${casePath} has changed since it was shown`, 'Look at what it runs now, and decide again.');
  const all = await readAllowed();
  const project = await projectOf(root);
  await writeAllowed({ ...all, [project]: { ...all[project], [fromRoot(root, start.casePath)]: stamp } });
}

async function allowedAgentCases({ root }: RootParams): Promise<readonly string[]> {
  return Object.keys((await readAllowed())[await projectOf(root)] ?? {}).sort();
}

async function withdrawAgentCases({ root, cases }: WithdrawAgentCasesParams): Promise<void> {
  const project = await projectOf(root);
  const { [project]: allowed = {}, ...others } = await readAllowed();
  const kept = Object.entries(allowed).filter(([address]) => !cases.includes(address));
  await writeAllowed(kept.length === 0 ? others : { ...others, [project]: Object.fromEntries(kept) });
}

/** Rejects with a `UserError` unless the user has let coding agents replay the case in its current state. */
export async function requireAllowed(root: string, start: CaseStart): Promise<void> {
  if (await isAllowed(root, start)) return;
  const { starts, shown } = describe(root, start);
  throw new UserError(
    `${fromRoot(root, start.casePath)} ${starts === 'program' ? 'runs a command' : 'calls a service'}, which nobody has allowed for coding agents: ${shown}`,
    'A person can allow it in VS Code: "Tapedeck Permissions: Let Coding Agents Run This Case". A case that has changed since has to be allowed again.',
  );
}

async function startOf(root: string, named: string): Promise<CaseStart | undefined> {
  const casePath = await resolveInProject(root, named);
  const { plan, file } = await openCase(casePath, fromRoot(root, casePath));
  const { starts } = await plan('replay', root);
  return starts && { casePath, text: file.text, agent: starts };
}

async function isAllowed(root: string, start: CaseStart): Promise<boolean> {
  const cases = (await readAllowed())[await projectOf(root)] ?? {};
  const address = fromRoot(root, start.casePath);
  return Object.hasOwn(cases, address) && cases[address] === stampOf(root, start);
}

function describe(root: string, start: CaseStart): Omit<AgentCase, 'isAllowed'> {
  const { agent, casePath } = start;
  const stamp = stampOf(root, start);
  if (agent.kind === 'service') return { starts: 'service', shown: escapeInvisible(agent.url), details: [], stamp };
  const folder = fromRoot(root, join(dirname(casePath), agent.cwd)) || '.';
  const variables = Object.entries(agent.environment).map(([name, value]) => `${name}=${quoted(value)}`);
  return {
    starts: 'program',
    shown: (agent.shownCommand ?? agent.command).map(quoted).join(' '),
    details: [`in the folder ${folder}`, ...variables].map(escapeInvisible),
    stamp,
  };
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : escapeInvisible(JSON.stringify(argument));
}

function stampOf(root: string, { casePath, text, agent }: CaseStart): string {
  return createHash('sha256')
    .update(JSON.stringify([fromRoot(root, casePath), text, agent]))
    .digest('hex');
}

async function projectOf(root: string): Promise<string> {
  return (await realPath(root)) ?? root;
}

const ALLOWED_FILE = shape({ allowed: object() });

/** What the file says; nothing where it cannot be read, so that the user is asked again. */
async function readAllowed(): Promise<Allowed> {
  const source = await unconfined(() => readUserState(FILE));
  return acceptedMembers(named('', text()), parseDocument(ALLOWED_FILE, source ?? '')?.allowed ?? {});
}

function writeAllowed(allowed: Allowed): Promise<void> {
  return writeUserState(FILE, `${JSON.stringify({ version: 1, allowed }, null, 2)}\n`);
}
