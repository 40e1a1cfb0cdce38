import * as vscode from 'vscode';
import { accepts, guard } from '../../core/schema/accepts';
import { amount, constant, list, object, optional, shape, text, trusted } from '../../core/schema/schema';
import { t } from '../../core/text/l10n';
import { uri } from './apiValues';
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

interface ScmArgument {
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
  return parseNode(value) ?? parseScmFile(value) ?? parseTest(value) ?? parseDrift(value) ?? { type: 'unsupported' };
}

const SECTION = shape({ type: constant('section') });
const NODE = shape({ type: text(), resource: uri });
const REVIEW = shape({ about: text('', { enum: ['run', 'file'] }) });

function parseNode(value: unknown): CommandArgument | undefined {
  if (accepts(SECTION, value)) return { type: 'section' };
  if (!accepts(NODE, value)) return undefined;
  const { type, resource } = value;
  return { type: 'node', node: { type, resource, ...(accepts(REVIEW, value) && { about: value.about }) } };
}

const SCM_FILE = shape({ resourceUri: uri });
const OPENED = shape({
  command: shape({ command: text(), arguments: optional(list(trusted<unknown>())) }),
});

function parseScmFile(value: unknown): CommandArgument | undefined {
  if (!accepts(SCM_FILE, value)) return undefined;
  const file = { type: 'scm', uri: value.resourceUri } as const;
  if (!accepts(OPENED, value)) return file;
  const { command, arguments: given = [] } = value.command;
  const [before, after] = given.filter(guard(uri));
  if (before !== undefined && after !== undefined) return { ...file, versions: { before, after } };
  return { ...file, openCommand: { command, arguments: [...given] } };
}

const TEST_TARGET = shape({ test: text(), file: uri });
const FAILED_TEST = shape({ test: shape({ id: text() }), message: optional(trusted<FailedTest['message']>(object())) });

function parseTest(value: unknown): CommandArgument | undefined {
  if (accepts(TEST_TARGET, value)) return { type: 'testTarget', target: { file: value.file, test: value.test } };
  if (!accepts(FAILED_TEST, value)) return undefined;
  const { test, message } = value;
  return { type: 'failedTest', failure: { testId: test.id, message } };
}

const DRIFT = shape({ case: text() });
const FROM = shape({ at: amount() });
const MASKED = shape({ masks: list(text()) });

function parseDrift(value: unknown): CommandArgument | undefined {
  if (!accepts(DRIFT, value)) return undefined;
  const from = accepts(FROM, value) ? { at: Math.trunc(value.at) } : {};
  return {
    type: 'drift',
    drift: { case: value.case, ...from, ...(accepts(MASKED, value) && { masks: value.masks }) },
  };
}

/** The tape in an argument: a node (tree), a URI (title bar), or the active one if it names none (palette). */
export function requireTapeUri(argument: CommandArgument, active: vscode.Uri | undefined): vscode.Uri {
  if (argument.type === 'uri') return argument.uri;
  const uri = argument.type === 'node' ? argument.node.resource : active;
  if (uri === undefined) throw new HumanError(t('No tape is selected. Open one, or select one in the Tapedeck view.'));
  return uri;
}
