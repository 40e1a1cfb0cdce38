import * as vscode from 'vscode';
import type { NamedTests, NamingTape, ProjectSources } from '../../../core/tapeTests/namedTests';
import type { TapeTest } from '../../../core/tapeTests/tapeTest';
import { loadCore } from '../../../reader/loadCore';
import type { FoundTest } from './foundTest';
import type { TapeEntry, TapeStore } from './tapeStore';

/** The tests of a folder that tapes name: what is found in a source holds until a source changes. */
export class TestsByTapes {
  #saved: NamedTests | undefined;

  constructor(
    private readonly folder: vscode.WorkspaceFolder,
    private readonly tapes: Pick<TapeStore, 'all' | 'get'>,
  ) {}

  /** Those of a document, saved or not. */
  async testsIn(document: vscode.TextDocument): Promise<readonly TapeTest[]> {
    return (await this.#named(document)).testsIn(vscode.workspace.asRelativePath(document.uri, false), this.#naming());
  }

  async testNamed(document: vscode.TextDocument, name: string): Promise<FoundTest | undefined> {
    const tape = this.#naming().find(({ test }) => test.endsWith(`::${name}`));
    return this.#found(tape && (await (await this.#named(document)).testOf(tape)));
  }

  async testOf(tape: vscode.Uri): Promise<FoundTest | undefined> {
    const naming = namingTape(this.tapes.get(tape));
    return this.#found(naming && (await (await this.#named()).testOf(naming)));
  }

  async orphanReason(tape: TapeEntry): Promise<string | undefined> {
    const naming = namingTape(tape);
    return naming && (await this.#named()).orphanReason(naming);
  }

  #found(test: TapeTest | undefined): FoundTest | undefined {
    const { folder } = this;
    return test && { file: vscode.Uri.joinPath(folder.uri, test.file), folder, test };
  }

  async #named(document?: vscode.TextDocument): Promise<NamedTests> {
    const { NamedTests } = await loadCore();
    if (document !== undefined) return new NamedTests(sourcesIn(this.folder, document));
    this.#saved ??= new NamedTests(sourcesIn(this.folder));
    return this.#saved;
  }

  #naming(): readonly NamingTape[] {
    const here = this.tapes.all().filter(({ uri }) => vscode.workspace.getWorkspaceFolder(uri) === this.folder);
    return here.flatMap((tape) => namingTape(tape) ?? []);
  }
}

function namingTape(tape: TapeEntry | undefined): NamingTape | undefined {
  if (tape?.test === undefined) return undefined;
  return { path: vscode.workspace.asRelativePath(tape.uri, false), test: tape.test };
}

/** The sources of a folder; of one of them, what its document has. */
function sourcesIn(folder: vscode.WorkspaceFolder, document?: vscode.TextDocument): ProjectSources {
  const uriOf = (path: string): vscode.Uri => vscode.Uri.joinPath(folder.uri, path);
  return {
    text: async (path) => {
      const uri = uriOf(path);
      if (uri.toString() === document?.uri.toString()) return document.getText();
      return vscode.workspace.fs.readFile(uri).then(
        (bytes) => new TextDecoder().decode(bytes),
        () => undefined,
      );
    },
    filesIn: async (path) => {
      const entries = await vscode.workspace.fs.readDirectory(uriOf(path)).then(
        (found) => found,
        () => [],
      );
      return entries.map(([name]) => (path === '' ? name : `${path}/${name}`));
    },
  };
}
