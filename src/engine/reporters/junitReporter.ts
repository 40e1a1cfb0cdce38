import { relative, sep } from 'node:path';
import type { Failure, RunResult } from '../../core/model/run';
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
  const cases = results.map((result) => caseXml(result, cwd)).join('');
  const suite = element('testsuite', { name: 'tapedeck', ...counts }, `\n${cases}  `, '  ');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'tapedeck', ...counts }, `\n${suite}`)}`;
}

function caseXml(result: RunResult, cwd: string): string {
  const file = relative(cwd, result.casePath).split(sep).join('/');
  const folder = file.split('/').slice(0, -1).join('.') || 'tapedeck';
  const attributes = { classname: folder, name: result.name, file, time: seconds(result.durationMs) };
  const tag = isJudged(result) ? 'failure' : 'error';
  const parts = [...verdictsXml(result)];
  parts.push(
    ...result.failures.map((failure) =>
      element(tag, { type: failure.kind, message: failure.message }, escapeXml(failureBody(failure)), '      '),
    ),
  );
  if (result.status === 'cancelled') parts.push(element('skipped', { message: 'cancelled' }, '', '      '));
  parts.push(element('system-out', {}, escapeXml(result.compared), '      '));
  return element('testcase', attributes, `\n${parts.join('')}    `, '    ');
}

/** The verdict on each request of the agent, as a property. */
function verdictsXml({ interactions = [] }: RunResult): readonly string[] {
  if (interactions.length === 0) return [];
  const properties = interactions.map(({ number, index = 0, verdict, explanation }) =>
    element(
      'property',
      { name: number === undefined ? `recording.${index + 1}` : `interaction.${number + 1}`, value: verdict },
      escapeXml(explanation ?? ''),
      '        ',
    ),
  );
  return [element('properties', {}, `\n${properties.join('')}      `, '      ')];
}

/** A case that was judged has failures; one that could not be has errors. */
function isJudged({ failures }: RunResult): boolean {
  return failures.every(({ kind }) => kind === 'assertion' || kind === 'difference' || kind === 'unused');
}

function failureBody({ message, fix, expected, actual }: Failure): string {
  const texts = expected === undefined || actual === undefined ? [] : [`expected:\n${expected}`, `actual:\n${actual}`];
  return [message, ...(fix === undefined ? [] : [fix]), ...texts].join('\n');
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string,
  indent = '',
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  const body = content === '' ? '/>' : `>${content}</${name}>`;
  return `${indent}<${name}${written.join('')}${body}\n`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // Unescaped, an attribute would turn these into spaces, and every CR into LF.
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Characters that XML 1.0 cannot hold, escaped or not: control characters, lone surrogates, U+FFFE and U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** Escapes text for an element or an attribute. Characters that XML cannot hold become U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"'\n\r\t]/g, (char) => ESCAPES[char] ?? char);
}
