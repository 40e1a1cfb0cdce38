import type { Failure, RunResult } from '../../core/model/run';
import { fromRoot } from '../files/projectPaths';
import { classNameOf, junitDocument, type Xml, xmlElement, xmlText } from './junitXml';
import { type Reporter, runTotals } from './reporter';

/** JUnit XML for CI systems: one suite, with a test case for each case. File names are relative to `cwd`. */
export function junitReporter(print: (text: string) => void, cwd: string): Reporter {
  return {
    finished: () => undefined,
    done: (results, durationMs) => print(junitXml(results, durationMs, cwd)),
  };
}

function junitXml(results: readonly RunResult[], durationMs: number, cwd: string): string {
  const errors = results.filter((result) => result.status === 'failed' && !isJudged(result)).length;
  const { total, failed, cancelled } = runTotals(results);
  const counts = { tests: total, failures: failed - errors, errors, skipped: cancelled, time: seconds(durationMs) };
  return junitDocument(
    'tapedeck',
    counts,
    results.map((result) => caseXml(result, cwd)),
  );
}

function caseXml(result: RunResult, cwd: string): Xml {
  const file = fromRoot(cwd, result.casePath);
  const folder = classNameOf(file);
  const attributes = { classname: folder, name: result.name, file, time: seconds(result.durationMs) };
  const tag = isJudged(result) ? 'failure' : 'error';
  const failures = result.failures.map((failure) =>
    xmlElement(tag, { type: failure.kind, message: failure.message }, [xmlText(failureBody(failure))]),
  );
  const skipped = result.status === 'cancelled' ? [xmlElement('skipped', { message: 'cancelled' })] : [];
  const printed = xmlElement('system-out', {}, [xmlText(result.compared)]);
  return xmlElement('testcase', attributes, [...verdictsXml(result), ...failures, ...skipped, printed]);
}

/** The verdict on each request of the agent, as a property. */
function verdictsXml({ interactions = [] }: RunResult): readonly Xml[] {
  if (interactions.length === 0) return [];
  const properties = interactions.map(({ number, index = 0, verdict, explanation }) => {
    const name = number === undefined ? `recording.${index + 1}` : `interaction.${number + 1}`;
    return xmlElement('property', { name, value: verdict }, [xmlText(explanation ?? '')]);
  });
  return [xmlElement('properties', {}, properties)];
}

/** A case that was judged has failures; one that could not be has errors. */
function isJudged({ failures }: RunResult): boolean {
  return failures.every(({ kind }) => kind === 'assertion' || kind === 'difference' || kind === 'unused');
}

function failureBody({ message, fix, expected, actual }: Failure): string {
  const texts = expected === undefined || actual === undefined ? [] : [`expected:\n${expected}`, `actual:\n${actual}`];
  return [message, ...(fix === undefined ? [] : [fix]), ...texts].join('\n');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
