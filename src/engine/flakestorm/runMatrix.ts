import { type Chaos, type ChaosScenario, combinedChaos, NO_CHAOS } from '../../core/flakestorm/chaos';
import type { Contract, Invariant } from '../../core/flakestorm/contract';
import { appliesUnder, checkInvariant } from '../../core/flakestorm/invariants';
import { type Cell, judgeMatrix, type MatrixVerdict } from '../../core/flakestorm/score';
import { message, t } from '../../core/text/l10n';
import { noticeOf, type Said } from '../../core/text/notice';
import type { AgentUnderTest, PromptResult, TestPrompt } from './agentUnderTest';
import type { ChaosState } from './chaosState';

export interface MatrixRun extends MatrixVerdict {
  readonly cells: readonly Cell[];
  readonly results: readonly PromptResult[];
  readonly notes: readonly Said[];
}

/**
 * Judges a contract under each scenario of its matrix, with all golden prompts (`contracts/engine.py`). The chaos of the
 * configuration strikes every cell, beneath that of the scenario.
 */
export async function runMatrix(
  subject: AgentUnderTest,
  contract: Contract,
  prompts: readonly TestPrompt[],
  chaos?: Chaos,
): Promise<MatrixRun> {
  const own = contract.scenarios;
  const plain: ChaosScenario = { name: 'no chaos', chaos: NO_CHAOS, span: contract.span };
  const scenarios = own.length > 0 ? own : [plain];
  const run = new Matrix(subject, prompts, chaos && subject.startChaos(chaos));
  for (const scenario of scenarios) await run.column(scenario, contract.invariants);
  const missing = noticeOf(() =>
    t('the contract has no chaos_matrix: it was judged once without chaos (Flakestorm would not judge it)'),
  );
  return {
    ...judgeMatrix(run.cells),
    cells: run.cells,
    results: run.results,
    notes: [
      ...(own.length > 0 ? [] : [missing]),
      ...(chaos === undefined ? [] : [noticeOf(() => t(EVERYWHERE))]),
      ...[...run.differs].map((one) => noticeOf(() => t(one))),
    ],
  };
}

const JUDGED_BY_WHEN = message(
  '`when` is evaluated: cells that it excludes are not judged (Flakestorm judges them all)',
);
const EVERYWHERE = message('the chaos of the configuration strikes every scenario, as in Flakestorm');

class Matrix {
  readonly cells: Cell[] = [];
  readonly results: PromptResult[] = [];
  readonly differs = new Set<string>();

  constructor(
    private readonly subject: AgentUnderTest,
    private readonly prompts: readonly TestPrompt[],
    /** The chaos beneath every scenario. */
    private readonly common: ChaosState | undefined,
  ) {
    // Flakestorm first sends the first prompt twice, to find agents with a state that it cannot reset.
    if (!subject.canReset) common?.count(2);
  }

  async column({ name, chaos: own }: ChaosScenario, invariants: readonly Invariant[]): Promise<void> {
    const chaosState = this.subject.startChaos(own);
    const chaos = this.common === undefined ? own : combinedChaos(this.common.chaos, own);
    for (const invariant of invariants) {
      const { id: invariantId, severity, when } = invariant;
      const cell = { invariantId, scenario: name, severity };
      if (!appliesUnder(when, chaos)) {
        this.differs.add(JUDGED_BY_WHEN);
        this.cells.push({ ...cell, outcome: 'not judged', details: `it is for ${when}` });
        continue;
      }
      await this.subject.reset();
      const { passed, details } = await this.#cell(invariant, chaosState);
      this.cells.push({ ...cell, outcome: passed ? 'passed' : 'failed', details });
    }
  }

  /** A cell passes when every prompt does; it ends with the first that fails. */
  async #cell(
    invariant: Invariant,
    chaosState: ChaosState,
  ): Promise<{ readonly passed: boolean; readonly details: string }> {
    const baseline = await this.#baseline(invariant);
    let details = 'there are no prompts';
    for (const testPrompt of this.#promptsOf(invariant)) {
      const result = await this.#ask(testPrompt, chaosState);
      if (result.error !== undefined) return { passed: false, details: result.error };
      const check = checkInvariant(invariant, { ...result, baseline });
      if (check.differs !== undefined) this.differs.add(check.differs);
      details = check.details;
      if (!check.passed) return { passed: false, details };
    }
    return { passed: true, details };
  }

  async #baseline({ type, baseline = 'auto' }: Invariant): Promise<string | undefined> {
    const [first] = this.prompts;
    if (type !== 'behavior_unchanged' || baseline !== 'auto' || first === undefined) return undefined;
    return (await this.#ask(first)).text;
  }

  /** The prompts of an invariant: its probes, each with a tape of its own, in place of the golden prompts. */
  #promptsOf({ probes, id }: Invariant): readonly TestPrompt[] {
    const [first] = this.prompts;
    if (probes.length === 0 || first === undefined) return this.prompts;
    return probes.map((prompt, index) => ({
      name: `${id} probe ${index + 1}`,
      prompt,
      tape: first.tape.replace(/\.prompt-1\.tape\.json$/, `.${id}-probe-${index + 1}.tape.json`),
    }));
  }

  async #ask(testPrompt: TestPrompt, chaosState?: ChaosState): Promise<PromptResult> {
    const states = [this.common, chaosState].filter((state) => state !== undefined);
    const result = await this.subject.ask(testPrompt, ...states);
    this.results.push(result);
    return result;
  }
}
