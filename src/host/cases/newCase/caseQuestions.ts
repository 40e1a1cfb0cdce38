import * as vscode from 'vscode';
import type { NewCaseAgent, NewCaseProvider } from '../../../core/cases/toml/newCase';
import { ownTape } from '../../../core/cases/toml/ownTape';
import { relativePath } from '../../../core/project/layout';
import { wordsOf } from '../../../core/text/commandLine';
import { t } from '../../../core/text/l10n';
import { type Answer, askChoice, askText, BACK, type Choice, type StepPlace } from '../../base/askSteps';
import { tapeUris } from '../../stores/cases/caseEntry';
import { type CaseFolder, caseFileName, freeName } from '../../stores/cases/caseFolder';
import type { CaseStore } from '../../stores/cases/caseStore';
import { askCaseName } from '../../stores/cases/newCaseFile';
import type { TapeStore } from '../../stores/tapes/tapeStore';

/** The answers about a new case. */
interface CaseDraft {
  readonly name: string;
  readonly agent: NewCaseAgent;
  /** Relative to the folder of the case. */
  readonly tape: string;
}

export interface CasePlace extends CaseFolder {
  /** The tape, where it has been chosen before. */
  readonly tape?: vscode.Uri;
}

/** Asks for name, agent, and tape, with a way back. Rejects with `CancellationError` when the user cancels. */
export async function askForCase(
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
