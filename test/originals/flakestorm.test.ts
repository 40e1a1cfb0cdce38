import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildEngine, inProject, type TestProject } from '../harness/builtEngine';
import { serve, type TestServer } from '../harness/support';
import { Comparison } from './comparison';
import { agentResponse, type GeneratedProject, generateProfile, generateProject } from './flakestorm/projects';
import { askPython, pythonOriginals } from './pythonOriginals';
import { Seeded } from './seeded';

const PROJECTS = Number(process.env.TAPEDECK_FLAKESTORM_PROJECTS ?? 80);
const PROFILES = Math.ceil(PROJECTS / 2);

interface CiResult {
  readonly code: number | null;
  readonly scores: Readonly<Record<string, string>>;
  readonly overall: string | null;
}

interface Verdicts {
  readonly sessions: Readonly<Record<string, string>>;
  readonly contract?: string;
  readonly ci: CiResult;
}

describe('beside Flakestorm 2.0.0', function () {
  this.timeout(1_800_000);
  let python = '';
  let agent: TestServer;

  before(async function () {
    python = await pythonOriginals();
    buildEngine.call(this);
    agent = await serve((response, { body }) => {
      const { status, body: said } = agentResponse(JSON.parse(body).input);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    });
  });
  after(() => agent?.close());

  it('sessions, contracts and ci come to the same verdicts and scores', async () => {
    const seeded = new Seeded(15);
    const endpoint = `http://${agent.host}/agent`;
    const projects = Array.from({ length: PROJECTS }, (_, index) => generateProject(seeded, `p${index}`, endpoint));
    const files = { 'tapedeck.toml': '', ...Object.assign({}, ...projects.map((one) => one.files)) };
    await inProject(files, async (project) => {
      const script = readFileSync(join(__dirname, 'flakestorm/ask.py'), 'utf8');
      const theirs = await askPython<Verdicts[]>(python, script, projects, project.root);
      const ours = await runAll(project);
      const comparisons = {
        sessions: new Comparison('sessions'),
        contracts: new Comparison('contracts'),
        ci: new Comparison('ci'),
      };
      for (const [index, generated] of projects.entries()) {
        const expected = theirs[index] as Verdicts;
        const reason = reasonFor(generated);
        for (const [path, passed] of Object.entries(expected.sessions))
          comparisons.sessions.add(path, passed, ours.sessions.get(path));
        if (expected.contract !== undefined) {
          const score = ours.scores.get(`${generated.name}/flakestorm.yaml#contract`);
          comparisons.contracts.add(generated.name, expected.contract, score, reason);
        }
        comparisons.ci.add(generated.name, expected.ci, await ci(project, generated, expected.ci), reason);
      }
      const { sessions, contracts, ci: runs } = comparisons;
      for (const one of [sessions, contracts, runs]) one.end();
    });
  });

  it('the prompts have the same score under a chaos profile', async () => {
    const seeded = new Seeded(51);
    const endpoint = `http://${agent.host}/agent`;
    const generated = Array.from({ length: PROFILES }, (_, index) => generateProject(seeded, `q${index}`, endpoint));
    const projects = generated.map(({ name, files }) => ({ name, files, profile: `${name}/profile.yaml` }));
    const profiles = projects.map(({ name, profile }) => [profile, generateProfile(seeded, name)]);
    const files = { 'tapedeck.toml': '', ...Object.assign({}, ...projects.map((one) => one.files)) };
    await inProject({ ...files, ...Object.fromEntries(profiles) }, async (project) => {
      const script = readFileSync(join(__dirname, 'flakestorm/ask.py'), 'utf8');
      const theirs = await askPython<(number | null)[]>(python, script, projects, project.root);
      const comparison = new Comparison('chaos profiles');
      for (const [index, one] of projects.entries())
        comparison.add(one.name, theirs[index], await profiledScore(project, one));
      comparison.end();
    });
  });
});

interface ProfiledProject {
  readonly name: string;
  readonly profile: string;
}

/** The score under a profile as Tapedeck has it; null where the first prompt ends in an error. */
async function profiledScore(project: TestProject, { name, profile }: ProfiledProject): Promise<number | null> {
  const args = ['flakestorm', 'ci', '--live', '--json', '--config', `${name}/flakestorm.yaml`, '--profile', profile];
  const { stdout } = await project.engine(args);
  const { scores, reasons } = JSON.parse(stdout) as { scores: Record<string, number>; reasons: string[] };
  const isOver = reasons.some((reason) => reason.startsWith('the first golden prompt ended in an error'));
  return isOver ? null : (scores.chaos ?? Number.NaN);
}

/** Why a score differs on purpose. Each is in `src/core/flakestorm/README.md`. */
function reasonFor({ hasToolFaultsBesideChaos, lacksMatrix, hasConditions }: GeneratedProject): string | undefined {
  if (lacksMatrix) return 'a contract without a matrix is checked once, not passed unchecked';
  if (hasConditions) return '`when` is evaluated';
  return hasToolFaultsBesideChaos
    ? 'tool faults of a scenario strike beside the chaos of the configuration'
    : undefined;
}

/** The verdict of each session, and the score of each contract, of one run over everything. */
async function runAll(project: TestProject) {
  const { stdout } = await project.engine(['run', '--live', '--jobs', '4', '--reporter', 'json']);
  const results = JSON.parse(stdout).results as { casePath: string; status: string; compared: string }[];
  const named = results.map(({ casePath, ...result }) => ({
    ...result,
    path: casePath.replace(`${project.root}/`, ''),
  }));
  const verdict = (status: string): string => (status === 'passed' ? 'True' : 'False');
  const scores = named.flatMap(({ path }) => (path.endsWith('#contract') ? [path] : []));
  return {
    sessions: new Map(named.map(({ path, status }) => [path, verdict(status)])),
    scores: new Map(await Promise.all(scores.map(async (path) => [path, await scoreOf(project, path)] as const))),
  };
}

async function scoreOf(project: TestProject, path: string): Promise<string> {
  const { tapedeck } = await project.json(`.tapedeck/runs/${path}.artifact.json`);
  return (tapedeck as { details: { resilience_score: number } }).details.resilience_score.toFixed(2);
}

/** Flakestorm's command breaks off where the first prompt ends in an error, and prints no scores from there on. */
async function ci(project: TestProject, { name, minScore }: GeneratedProject, theirs: CiResult): Promise<CiResult> {
  const args = ['flakestorm', 'ci', '--live', '--config', `${name}/flakestorm.yaml`, '--min-score', String(minScore)];
  const { code, stdout, stderr } = await project.engine(args);
  const printed = Array.from(
    stdout.matchAll(/^(\w+): ([\d.]+)%$/gm),
    ([, phase = '', score = '']) => [phase, score] as const,
  );
  assert.ok(printed.length > 0, `${name}: ${stderr}`);
  const isWhole = theirs.overall !== null;
  const scores = printed.filter(([phase]) => phase !== 'overall' && (isWhole || phase in theirs.scores));
  const overall = printed.find(([phase]) => phase === 'overall')?.[1] ?? null;
  return { code, scores: Object.fromEntries(scores), overall: isWhole ? overall : null };
}
