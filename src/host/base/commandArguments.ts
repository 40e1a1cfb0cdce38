import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { type Fields, isFields } from './fields';
import { HumanError } from './humanError';

/** The first argument of a command. Menus, lenses, links, the Test Explorer and other extensions all pass their own. */
export type CommandArgument =
  | { readonly type: 'none' }
  | { readonly type: 'uri'; readonly uri: vscode.Uri }
  | { readonly type: 'node'; readonly node: ResourceNode }
  /** A section of the list of reviews, which stands for all of its items. */
  | { readonly type: 'section' }
  /** A file in the list of changes of git or another SCM provider. */
  | ScmArgument
  | { readonly type: 'testTarget'; readonly target: TestTarget }
  | { readonly type: 'failedTest'; readonly failure: FailedTest }
  | { readonly type: 'drift'; readonly drift: DriftCommandArgument }
  | { readonly type: 'unsupported' };

export interface ScmArgument {
  readonly type: 'scm';
  readonly uri: vscode.Uri;
  /** The two versions that opening it compares, if the provider has them. */
  readonly versions?: { readonly before: vscode.Uri; readonly after: vscode.Uri };
  /** The command that opens it: in most lists, a diff editor. */
  readonly openCommand?: Pick<vscode.Command, 'command' | 'arguments'>;
}

/** The part that the nodes of all trees have in common. */
export interface ResourceNode {
  readonly type: string;
  /** The file or case that commands on the node apply to. */
  readonly resource: vscode.Uri;
  /** Only in the list of reviews: whether it is the case's last run or the file itself that changed. */
  readonly about?: 'run' | 'file';
}

/** Identifies a test by name, because its position may have changed since the lens was shown. */
export interface TestTarget {
  readonly file: vscode.Uri;
  /** As it is named in `TapeTest`. */
  readonly test: string;
}

/** A failure in the Test Explorer. The id of a test is the URI of its case. */
export interface FailedTest {
  readonly testId: string;
  readonly message?: Partial<Pick<vscode.TestMessage, 'message' | 'expectedOutput' | 'actualOutput'>>;
}

/** The argument of the commands that fix a drift. It passes through a link, so it is plain JSON. */
export interface DriftCommandArgument {
  /** The URI of the case. */
  readonly case: string;
  /** The index of the first interaction to record again. */
  readonly at?: number;
  /** As they are written in the case. */
  readonly masks?: readonly string[];
}

/** Parses an argument, which any extension or link may have passed. */
export function parseCommandArgument(value: unknown): CommandArgument {
  if (value === undefined) return { type: 'none' };
  if (value instanceof vscode.Uri) return { type: 'uri', uri: value };
  if (!isFields(value)) return { type: 'unsupported' };
  return (
    parseNode(value) ?? parseScmFile(value) ?? parseTest(value) ?? parseDrift(value) ?? { type: 'unsupported' as const }
  );
}

function parseNode(value: Fields): CommandArgument | undefined {
  const { type, resource, about } = value;
  if (type === 'section') return { type: 'section' };
  if (typeof type !== 'string' || !(resource instanceof vscode.Uri)) return undefined;
  const node: ResourceNode = { type, resource };
  return { type: 'node', node: about === 'run' || about === 'file' ? { ...node, about } : node };
}

function parseScmFile({ resourceUri, command }: Fields): CommandArgument | undefined {
  if (!(resourceUri instanceof vscode.Uri)) return undefined;
  const file = { type: 'scm', uri: resourceUri } as const;
  if (!isFields(command) || typeof command.command !== 'string') return file;
  const given: readonly unknown[] = Array.isArray(command.arguments) ? command.arguments : [];
  const [before, after] = given.filter((one) => one instanceof vscode.Uri);
  if (before !== undefined && after !== undefined) return { ...file, versions: { before, after } };
  return { ...file, openCommand: { command: command.command, arguments: [...given] } };
}

function parseTest({ file, test, message }: Fields): CommandArgument | undefined {
  if (typeof test === 'string' && file instanceof vscode.Uri) return { type: 'testTarget', target: { file, test } };
  if (!isFields(test) || typeof test.id !== 'string') return undefined;
  const failure: FailedTest = { testId: test.id };
  return { type: 'failedTest', failure: isFields(message) ? { ...failure, message } : failure };
}

function parseDrift({ case: caseUri, at, masks }: Fields): CommandArgument | undefined {
  if (typeof caseUri !== 'string') return undefined;
  const from = typeof at === 'number' && at >= 0 ? { at: Math.trunc(at) } : {};
  return { type: 'drift', drift: { case: caseUri, ...from, ...(isStringArray(masks) ? { masks } : {}) } };
}

/** The tape in an argument: a node (tree), a URI (title bar), or the active one if it names none (palette). */
export function requireTapeUri(argument: CommandArgument, active: vscode.Uri | undefined): vscode.Uri {
  if (argument.type === 'uri') return argument.uri;
  const uri = argument.type === 'node' ? argument.node.resource : active;
  if (uri === undefined) throw new HumanError(t('No tape is selected. Open one, or select one in the Tapedeck view.'));
  return uri;
}

function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
