// node --import tsx test/bench/reviewPanel.ts OLD NEW…   how long after the engine's answer the panel shows its first change:
// OLD is committed, each NEW takes its place; the engine is the built one, the page the built page in a real browser.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { serve } from '../../src/contracts/contract';
import { engine as engineContract } from '../../src/contracts/engine/engine';
import { type ReviewState, reviewPage } from '../../src/contracts/pages/reviewPanel';
import { encodeLine, LineSplitter, parseLine } from '../../src/contracts/rpc/ndjson';
import { fileReviewState } from '../../src/host/review/reviewPage';
import { callerOf, type NamedCaller } from '../harness/contractEnds';
import { type PageHost, ReviewPages } from '../harness/pages/reviewPages';

const PATH = 'a.tape.json';
const SUBJECT = { kind: 'tape', path: PATH } as const;
const ROUNDS = 3;

void main();

async function main(): Promise<void> {
  const [old = '', ...others] = process.argv.slice(2);
  const root = mkdtempSync(join(tmpdir(), 'tapedeck-panel-bench-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  cpSync(old, join(root, PATH));
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'x');
  const pages = await ReviewPages.start();
  try {
    console.log(`\n${'the panel'.padEnd(50)}${'engine'.padStart(12)}${'first change'.padStart(16)}`);
    for (const other of others) {
      cpSync(other, join(root, PATH));
      const rounds: Measured[] = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(root, pages));
      const [middle] = rounds.sort((left, right) => left.shown - right.shown).slice(1);
      if (middle === undefined) continue;
      console.log(
        `  ${basename(other).padEnd(48)}${ms(middle.engine).padStart(12)}${ms(middle.shown).padStart(16)}   ${middle.headline}`,
      );
      for (const notice of middle.notices) console.log(`    ${notice}`);
    }
  } finally {
    await pages.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

interface Measured {
  /** Milliseconds until the engine had answered. */
  readonly engine: number;
  /** Milliseconds from then until the first change stood on the page. */
  readonly shown: number;
  readonly headline: string;
  readonly notices: readonly string[];
}

async function measure(root: string, pages: ReviewPages): Promise<Measured> {
  const engine = startEngine();
  const host = new EngineHost(engine.peer, root);
  try {
    const start = performance.now();
    const { page } = await pages.open(host);
    await page
      .locator('.monaco-diff-editor .view-line, .plain-diff, .media-sides')
      .first()
      .waitFor({ timeout: 60_000 });
    const shown = performance.now();
    const headline = (await page.locator('h1').textContent()) ?? '';
    const notices = await page.locator('.notice').allInnerTexts();
    await page.context().close();
    return { engine: host.answered - start, shown: shown - host.answered, headline, notices };
  } finally {
    engine.peer.close();
    engine.end();
  }
}

/** The host's side of the page, as the extension has it: what the engine says is passed on. */
class EngineHost implements PageHost {
  /** When the engine had answered. */
  answered = 0;

  constructor(
    private readonly engine: NamedCaller<typeof engineContract>,
    private readonly root: string,
  ) {}

  connect(send: (message: unknown) => void, onMessage: (listener: (message: unknown) => void) => void): void {
    const channel = {
      send,
      onMessage: (listener: (message: unknown) => void) => {
        onMessage(listener);
        return () => undefined;
      },
    };
    const nothing = async (): Promise<void> => undefined;
    const page = serve(reviewPage, channel, {
      texts: ({ id }) => this.engine.call('changeTexts', { root: this.root, subject: SUBJECT, id }),
      decide: async () => [],
      sameChanges: async () => [],
      decideSame: async () => [],
      undo: nothing,
      stage: nothing,
      stageAll: async () => true,
      openSourceControl: nothing,
      openDiff: nothing,
      openTranscript: nothing,
      go: async () => false,
    });
    void this.#open().then((review) => page.patch({ review }));
  }

  async #open(): Promise<ReviewState> {
    const content = await this.engine.call('review', { root: this.root, subject: SUBJECT });
    this.answered = performance.now();
    const queue = { position: 1, total: 1, othersOpen: 0 };
    return {
      ...fileReviewState(SUBJECT, content),
      caseUri: PATH,
      queue,
      canUndo: false,
      stageable: 0,
      same: {},
      canDecide: true,
    };
  }
}

function startEngine() {
  const child = spawn(process.execPath, [resolve('dist/engine.js'), 'rpc'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = new LineSplitter();
  const peer = callerOf(engineContract, {
    send: (message) => void child.stdin.write(encodeLine(message)),
    onMessage: (listener) => {
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        for (const message of lines.push(chunk).map(parseLine)) if (message !== undefined) listener(message);
      });
      return () => undefined;
    },
  });
  return { peer, end: () => child.stdin.end() };
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`;
}
