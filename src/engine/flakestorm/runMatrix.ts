import { type ChaosScenario, NO_CHAOS } from '../../core/flakestorm/chaos';
import type { Contract, Invariant } from '../../core/flakestorm/contract';
import { appliesUnder, checkInvariant } from '../../core/flakestorm/invariants';
import { type Cell, judgeMatrix, type MatrixVerdict } from '../../core/flakestorm/score';
import type { AgentUnderTest, PromptResult, TestPrompt } from './agentUnderTest';
import type { ChaosState } from './chaosState';

export interface MatrixRun extends MatrixVerdict {
  readonly cells: readonly Cell[];
  readonly answers: readonly PromptResult[];
  readonly notes: readonly string[];
}

/** Holds a contract to each scenario of its matrix, with all golden prompts (`contracts/engine.py`). */
export async function runMatrix(
  subject: AgentUnderTest,
  contract: Contract,
  questions: readonly TestPrompt[],
): Promise<MatrixRun> {
  const own = contract.scenarios;
  const plain: ChaosScenario = { name: 'no chaos', chaos: NO_CHAOS, span: contract.span };
  const scenarios = own.length > 0 ? own : [plain];
  const run = new Matrix(subject, questions);
  for (const scenario of scenarios) await run.column(scenario, contract.invariants);
  const missing = 'the contract has no chaos_matrix: it was judged once without chaos (Flakestorm judges nothing)';
  return {
    ...judgeMatrix(run.cells),
    cells: run.cells,
    answers: run.answers,
    notes: [...(own.length > 0 ? [] : [missing]), ...run.differs],
  };
}

class Matrix {
  readonly cells: Cell[] = [];
  readonly answers: PromptResult[] = [];
  readonly differs = new Set<string>();

  constructor(
    private readonly subject: AgentUnderTest,
    private readonly questions: readonly TestPrompt[],
  ) {}

  async column({ name, chaos }: ChaosScenario, invariants: readonly Invariant[]): Promise<void> {
    const trouble = this.subject.trouble(chaos);
    for (const invariant of invariants) {
      const { id: invariantId, severity, when } = invariant;
      const cell = { invariantId, scenario: name, severity };
      if (!appliesUnder(when, chaos)) {
        this.differs.add('`when` is evaluated: cells it excludes are not judged (Flakestorm judges them all)');
        this.cells.push({ ...cell, outcome: 'not judged', details: `it is for ${when}` });
        continue;
      }
      await this.subject.reset();
      const { passed, details } = await this.#cell(invariant, trouble);
      this.cells.push({ ...cell, outcome: passed ? 'passed' : 'failed', details });
    }
  }

  /** A cell passes when every prompt does; the first that fails ends it. */
  async #cell(
    invariant: Invariant,
    trouble: ChaosState,
  ): Promise<{ readonly passed: boolean; readonly details: string }> {
    const baseline = await this.#baseline(invariant);
    let details = 'there is nothing to ask';
    for (const question of this.#questionsOf(invariant)) {
      const answer = await this.#ask(question, trouble);
      if (answer.error !== undefined) return { passed: false, details: answer.error };
      const check = checkInvariant(invariant, { ...answer, ...(baseline === undefined ? {} : { baseline }) });
      if (check.differs !== undefined) this.differs.add(check.differs);
      details = check.details;
      if (!check.passed) return { passed: false, details };
    }
    return { passed: true, details };
  }

  async #baseline({ type, baseline = 'auto' }: Invariant): Promise<string | undefined> {
    const [first] = this.questions;
    if (type !== 'behavior_unchanged' || baseline !== 'auto' || first === undefined) return undefined;
    return (await this.#ask(first)).text;
  }

  /** Probes are asked in place of the golden prompts; where they are replayed they need tapes like these. */
  #questionsOf({ probes, id }: Invariant): readonly TestPrompt[] {
    const [first] = this.questions;
    if (probes.length === 0 || first === undefined) return this.questions;
    return probes.map((prompt, index) => ({
      name: `${id} probe ${index + 1}`,
      prompt,
      tape: first.tape.replace(/\.prompt-1\.tape\.json$/, `.${id}-probe-${index + 1}.tape.json`),
    }));
  }

  async #ask(question: TestPrompt, trouble?: ChaosState): Promise<PromptResult> {
    const answer = await this.subject.ask(question, trouble);
    this.answers.push(answer);
    return answer;
  }
}
