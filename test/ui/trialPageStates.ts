import type { CurrentTape, ShownTrial } from '../../src/contracts/pages/trialPage';
import type { Spread, Trial, TrialCell, TrialSample, TrialSummary } from '../../src/core/model/trial';

export const MODELS = ['gpt-4o-mini', 'gpt-5.4-nano', 'claude-haiku-4-5', 'openai/gpt-oss-120b', 'local/own-model'];

const NAMES = ['refund_question', 'order_status', 'cancel_order', 'shipping_abroad', 'damaged_item', 'invoice_copy'];

/** A trial of so many cases and models, whose numbers are different, but always the same. */
export function trialOf(cases: number, models: number, samples: number, part: Partial<Trial> = {}): Trial {
  const chosen = MODELS.slice(0, models);
  const listed = Array.from({ length: cases }, (_, at) => {
    const name = `${NAMES[at % NAMES.length]}${at < NAMES.length ? '' : `_${at}`}`;
    return { casePath: `cases/${name}.toml`, name, tapePath: `tapes/${name}.tape.json` };
  });
  return {
    models: chosen,
    samples,
    baselineModel: 'gpt-4o-mini',
    cases: listed,
    cells: listed.flatMap(({ casePath }, row) =>
      chosen.map((model, column) =>
        cellOf(
          casePath,
          model,
          Array.from({ length: samples }, (_, at) => sampleOf(row, column, at)),
        ),
      ),
    ),
    isComplete: true,
    ...part,
  };
}

function sampleOf(row: number, column: number, at: number): TrialSample {
  const seed = (row * 7 + column * 3 + at * 5) % 11;
  const verdict = column === 4 && seed === 9 ? 'error' : seed > 8 - column ? 'failed' : 'passed';
  const sample = at + 1;
  const durationMs = 700 + column * 450 + seed * 90;
  if (verdict === 'error')
    return { sample, verdict, failure: 'the provider responded with 429 Too Many Requests', durationMs };
  const tapePath = `.tapedeck/trials/cases/case_${row}/${column}/sample-${sample}/case.tape.json`;
  return {
    sample,
    verdict,
    ...(verdict === 'failed' && { failure: 'expected output to contain `12 December`, got `I will look into it.`' }),
    changes: seed > 5 ? seed - 5 : 0,
    compared: { before: 'tapes/case.tape.json', after: tapePath },
    tokens: { prompt: 900 + row * 40 + seed * 13, completion: 90 + seed * 7 },
    ...(column < 4 && { dollars: (0.0004 + seed * 0.00011) * (column + 1) ** 2 }),
    durationMs,
    tapePath,
    artifactPath: tapePath.replace('tape', 'artifact'),
  };
}

/** A cell with its summary, as the engine counts it. */
export function cellOf(casePath: string, model: string, samples: readonly TrialSample[]): TrialCell {
  const passed = samples.filter(({ verdict }) => verdict === 'passed').length;
  const values = (of: (sample: TrialSample) => number | undefined) => samples.flatMap((sample) => of(sample) ?? []);
  const spreads = {
    changes: spreadOf(values(({ changes }) => changes)),
    tokens: spreadOf(values(({ tokens }) => tokens && tokens.prompt + tokens.completion)),
    dollars: spreadOf(values(({ dollars }) => dollars)),
    durationMs: spreadOf(values(({ durationMs }) => durationMs)),
  };
  const known = Object.entries(spreads).filter(([, spread]) => spread !== undefined);
  return {
    casePath,
    model,
    samples,
    needed: 1,
    summary: {
      passed,
      errors: samples.filter(({ verdict }) => verdict === 'error').length,
      of: samples.length,
      ...(samples.length > 0 && { passRate: passed / samples.length }),
      ...(Object.fromEntries(known) as Partial<TrialSummary>),
    },
  };
}

function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))] ?? 0;
  return values.length === 0 ? undefined : { median: at(0.5), low: at(0.25), high: at(0.75) };
}

export function shown(trial: Trial, part: Partial<ShownTrial> = {}): ShownTrial {
  return { folder: 'file:///project', trial, current: trial.cases.map(tapeOf), canRun: true, ...part };
}

function tapeOf({ casePath }: { readonly casePath: string }, at: number): CurrentTape {
  return { casePath, tokens: 980 + at * 37, dollars: 0.0006 + at * 0.00002, durationMs: 1100 + at * 20 };
}
