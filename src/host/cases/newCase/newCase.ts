import * as vscode from 'vscode';
import type { NewCaseAgent, NewCaseProvider } from '../../../core/cases/toml/newCase';
import { ownTape } from '../../../core/cases/toml/ownTape';
import { relativePath } from '../../../core/project/layout';
import { wordsOf } from '../../../core/text/commandLine';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { type Answer, askChoice, askText, BACK, type Choice, type StepPlace } from '../../base/askSteps';
import { chooseFolder } from '../../base/chooseFolder';
import { type CommandArgument, requireTapeUri } from '../../base/commandArguments';
import { ContextKey } from '../../base/contextKey';
import { fileExists } from '../../base/files';
import { HumanError } from '../../base/humanError';
import { tapeUris } from '../../stores/cases/caseEntry';
import { type CaseFolder, caseFileName, caseFolder, folderForCases, freeName } from '../../stores/cases/caseFolder';
import type { CaseStore } from '../../stores/cases/caseStore';
import { askCaseName, createCaseFile, readTapedPrompt } from '../../stores/cases/newCaseFile';
import type { TapeStore } from '../../stores/tapes/tapeStore';

/** Completes the step of the walkthrough about new cases. */
const HAS_CREATED = new ContextKey<boolean>('tapedeck.hasCreatedCase');

interface Stores {
  readonly cases: CaseStore;
  readonly tapes: TapeStore;
}

/** Creates a case in the folder that is selected, or where the cases are. Asks about it first. */
export async function newCase(argument: CommandArgument, stores: Stores): Promise<void> {
  await createCase(await caseFolder(await folderOf(argument, stores.cases)), stores);
}

/** Creates a case that replays the tape. Asks about the rest first. */
export async function newCaseForTape(argument: CommandArgument, stores: Stores): Promise<void> {
  const tape = requireTapeUri(argument, activeFile());
  await createCase({ ...(await caseFolder(await folderForCases(rootOf(tape), stores.cases))), tape }, stores);
}

interface CasePlace extends CaseFolder {
  /** The tape, where it has been chosen before. */
  readonly tape?: vscode.Uri;
}

/** Asks about the case, writes it, and opens it with its prompt selected. */
async function createCase(place: CasePlace, stores: Stores): Promise<void> {
  const draft = await askForCase(place, stores);
  const { newCaseText } = await loadCore();
  const tape = vscode.Uri.joinPath(place.folder, draft.tape);
  const isRecorded = await fileExists(tape);
  const taped = isRecorded ? await readTapedPrompt(tape) : undefined;
  const { text, prompt } = newCaseText({ ...draft, isRecorded, taped });
  const file = vscode.Uri.joinPath(place.folder, caseFileName(draft.name));
  await createCaseFile(file, text);
  HAS_CREATED.set(true);
  await stores.cases.refresh([file]);
  const document = await vscode.workspace.openTextDocument(file);
  const selection = new vscode.Range(document.positionAt(prompt.start), document.positionAt(prompt.end));
  await vscode.window.showTextDocument(document, { selection, preview: false });
}

/** The folder that is selected in the Explorer or in the tree, otherwise the one where the cases are. */
async function folderOf(argument: CommandArgument, cases: CaseStore): Promise<vscode.Uri> {
  const chosen = argument.type === 'node' ? argument.node.resource : argument.type === 'uri' ? argument.uri : undefined;
  if (chosen === undefined) return folderForCases(await chooseRoot(), cases);
  const { type } = await vscode.workspace.fs.stat(chosen);
  return type & vscode.FileType.Directory ? chosen : vscode.Uri.joinPath(chosen, '..');
}

async function chooseRoot(): Promise<vscode.Uri> {
  const active = activeFile();
  const current = active && vscode.workspace.getWorkspaceFolder(active);
  return (current ?? (await chooseFolder(t('Open a folder first: a case is a file in it.')))).uri;
}

function rootOf(tape: vscode.Uri): vscode.Uri {
  const root = vscode.workspace.getWorkspaceFolder(tape)?.uri;
  if (root === undefined) throw new HumanError(t('This tape is not in the workspace. Open its folder first.'));
  return root;
}

/** The file of the active tab, whether it is shown as text or as a transcript. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

/** The answers about a new case. */
interface CaseDraft {
  readonly name: string;
  readonly agent: NewCaseAgent;
  /** Relative to the folder of the case. */
  readonly tape: string;
}

/** Asks for name, agent, and tape, with a way back. Rejects with `CancellationError` when the user cancels. */
async function askForCase(
  place: CasePlace,
  stores: { readonly cases: CaseStore; readonly tapes: TapeStore },
): Promise<CaseDraft> {
  const title = place.tape === undefined ? t('New Case') : t('New Case for {0}', baseName(place.tape));
  const questions: readonly ((draft: CaseDraft, at: StepPlace) => Promise<Answer<Partial<CaseDraft>>>)[] = [
    (draft, at) => askName(draft, at, place),
    (_, at) => askAgent(at),
    ...(place.tape === undefined ? [(draft: CaseDraft, at: StepPlace) => askTape(draft, at, place, stores)] : []),
  ];
  const { folder, tape } = place;
  let draft: CaseDraft = {
    name: tape === undefined ? '' : freeName(baseName(tape).replace(/\..*$/, ''), place.taken),
    agent: { type: 'model', provider: 'practice' },
    tape: tape === undefined ? '' : relativePath(folder.path, tape.path),
  };
  for (let at = 0; at < questions.length; ) {
    const answer = await questions[at]?.(draft, { title, step: at + 1, totalSteps: questions.length });
    if (answer === BACK) at -= 1;
    else {
      draft = { ...draft, ...answer };
      at += 1;
    }
  }
  return draft;
}

async function askName({ name }: CaseDraft, at: StepPlace, place: CasePlace) {
  const answer = await askCaseName(at, place, name);
  return answer === BACK ? BACK : { name: answer };
}

type AgentChoice = NewCaseProvider | 'command' | 'service';

const agents = (): readonly Choice<AgentChoice>[] => [
  { label: t('Built-in agent'), kind: vscode.QuickPickItemKind.Separator },
  { label: t('Practice model'), description: t('built in, offline, and free'), value: 'practice' },
  { label: t('OpenAI-compatible API'), description: t('needs a key'), value: 'open_ai_compatible' },
  { label: 'Ollama', description: t('a model on this computer'), value: 'ollama' },
  { label: t('Model of VS Code'), description: t('such as GitHub Copilot'), value: 'vscode_lm' },
  { label: t('Your agent'), kind: vscode.QuickPickItemKind.Separator },
  { label: t('Program'), description: t('in any language, started with a command'), value: 'command' },
  { label: t('Service'), description: t('listens at a URL'), value: 'service' },
];

async function askAgent(at: StepPlace): Promise<Answer<Pick<CaseDraft, 'agent'>>> {
  for (;;) {
    const chosen = await askChoice(at, t('Select the agent to test'), agents());
    if (chosen === BACK) return BACK;
    const agent = await agentOf(chosen, at);
    if (agent !== BACK) return { agent };
  }
}

async function agentOf(chosen: AgentChoice, at: StepPlace): Promise<Answer<NewCaseAgent>> {
  if (chosen === 'command') {
    const line = await askText(at, {
      placeholder: 'python3 agent.py',
      prompt: () => t('The command that starts your agent. It runs in the folder of the case.'),
      validate: (text) => (text.trim() === '' ? t('Enter a command.') : undefined),
    });
    return line === BACK ? BACK : { type: 'command', command: wordsOf(line) };
  }
  if (chosen === 'service') {
    const url = await askText(at, {
      placeholder: 'http://127.0.0.1:8000/run',
      prompt: () => t('The URL of your agent.'),
      validate: (text) =>
        /^https?:\/\/[^/]/.test(text.trim()) ? undefined : t('Enter a URL that begins with http:// or https://.'),
    });
    return url === BACK ? BACK : { type: 'service', url };
  }
  return { type: 'model', provider: chosen };
}

async function askTape(
  { name, agent }: CaseDraft,
  at: StepPlace,
  { folder }: CasePlace,
  { cases, tapes }: { readonly cases: CaseStore; readonly tapes: TapeStore },
): Promise<Answer<Pick<CaseDraft, 'tape'>>> {
  await Promise.all([cases.load(), tapes.load()]);
  const fromHere = (uri: vscode.Uri): string => relativePath(folder.path, uri.path);
  const existing = tapes.uris().map((uri) => ({
    label: baseName(uri),
    description: vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..')),
    value: fromHere(uri),
  }));
  const around = {
    name: caseFileName(name).replace(/\.toml$/, ''),
    tapes: existing.map(({ value }) => value),
    takenTapes: cases.all().flatMap(tapeUris).map(fromHere),
    isAtRoot: vscode.workspace.getWorkspaceFolder(folder)?.uri.toString() === folder.toString(),
  };
  const fresh = ownTape(around, agent.type === 'model' ? 'tape.json' : 'tape.jsonl');
  const tape = await askChoice(at, t('Select a tape to replay, or record a new one'), [
    {
      label: t('$(record) New tape'),
      description: vscode.workspace.asRelativePath(vscode.Uri.joinPath(folder, fresh), false),
      value: fresh,
    },
    ...(existing.length === 0 ? [] : [{ label: t('Existing tapes'), kind: vscode.QuickPickItemKind.Separator }]),
    ...existing,
  ]);
  return tape === BACK ? BACK : { tape };
}

function baseName(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
