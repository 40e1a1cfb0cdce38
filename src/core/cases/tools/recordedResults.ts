import { diffValues, type ValueDifference } from '../../diff/diffValues';
import { sketchSimilarity, sketchText } from '../../diff/similarity';
import { canonicalJson } from '../../json/canonicalJson';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { isPartOf } from '../../match/subset';
import type { ToolResult, ToolSpec } from '../../model/case';
import { asTomlHasIt } from '../../toml/writeToml';

/** A call that none of a tool's results is for. */
export interface ToolMiss {
  readonly tool: string;
  readonly arguments: JsonRecord;
  /** How many results the tool has. */
  readonly recorded: number;
  /** Whether a recording would add one. */
  readonly isRecordable: boolean;
  readonly nearest?: {
    /** Among the tool's results, from 0. */
    readonly index: number;
    readonly arguments: JsonRecord;
    readonly differences: readonly ValueDifference[];
  };
}

type RecordedTool = Pick<ToolSpec, 'name' | 'results' | 'match' | 'source'>;

/** A result, with its arguments as TOML has them: it has no null. */
interface Known {
  readonly index: number;
  readonly result: ToolResult;
  readonly arguments: JsonRecord;
  readonly key: string;
}

/** The results of one tool by arguments. Equal ones are served in their order, and the last of them again. */
export class RecordedResults {
  readonly #tool: RecordedTool;
  readonly #known: readonly Known[];
  readonly #served = new Set<number>();

  constructor(tool: RecordedTool) {
    this.#tool = tool;
    this.#known = (tool.results ?? []).map((result, index) => {
      const args = plain(result.arguments);
      return { index, result, arguments: args, key: canonicalJson(args) };
    });
  }

  /** The result of a call; undefined for a miss. */
  take(args: JsonRecord): ToolResult | undefined {
    const found = this.#find(plain(args));
    const next = found.find(({ index }) => !this.#served.has(index)) ?? found.at(-1);
    if (next !== undefined) this.#served.add(next.index);
    return next?.result;
  }

  /** Explains why a call has no result. */
  explain(args: JsonRecord): ToolMiss {
    const sent = plain(args);
    const nearest = this.#nearest(sent);
    return {
      tool: this.#tool.name,
      arguments: sent,
      recorded: this.#known.length,
      isRecordable: this.#tool.source !== undefined,
      ...(nearest && {
        nearest: {
          index: nearest.index,
          arguments: nearest.arguments,
          differences: this.#differences(nearest.arguments, sent),
        },
      }),
    };
  }

  #find(args: JsonRecord): readonly Known[] {
    const key = canonicalJson(args);
    const equal = this.#known.filter((one) => one.key === key);
    if (equal.length > 0 || this.#tool.match !== 'subset') return equal;
    return this.#known.filter((one) => isPartOf(one.arguments, args));
  }

  #nearest(args: JsonRecord): Known | undefined {
    const sketch = sketchText(canonicalJson(args));
    const ranked = this.#known.map((one) => ({ one, similar: sketchSimilarity(sketch, sketchText(one.key)) }));
    return ranked.sort((left, right) => right.similar - left.similar)[0]?.one;
  }

  /** What a call has more than the result is no difference where a part is enough. */
  #differences(recorded: JsonRecord, sent: JsonRecord): readonly ValueDifference[] {
    const all = diffValues(recorded, sent);
    const missed = all.filter(({ before }) => before !== undefined);
    return this.#tool.match === 'subset' && missed.length > 0 ? missed : all;
  }
}

function plain(args: Json): JsonRecord {
  const value = asTomlHasIt(args);
  return isRecord(value) ? value : {};
}
