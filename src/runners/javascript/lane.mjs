// The lane of a test, from its beginning to its end.
import { createHash } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';
import { enterLane, inLane, leadClients } from './clients.mjs';
import { Server } from './engine.mjs';

/** How many tests of this process run. */
let running = 0;
/** A test runs that has no function around it. */
let isEntered = false;
let count = 0;

/** The tests of one process. */
export class Lanes {
  #server;
  #mode;
  #root;
  /** The environment before Tapedeck. */
  #before;
  #rerecord;
  #environments;

  /**
   * @param {{ variables: Record<string, string>, mode: string, root: string, rerecord: (test: string) => string, environments?: readonly NodeJS.ProcessEnv[] }} options
   * `environments`: what tests and the programs that they start have; only `process.env`, unless the runner makes copies
   */
  constructor({ variables, mode, root, rerecord, environments = [process.env] }) {
    this.#server = new Server(variables);
    this.#mode = mode;
    this.#root = root;
    this.#rerecord = rerecord;
    this.#environments = environments;
    this.#before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
    leadClients();
  }

  /**
   * Runs a test. Rejects as it does, or with what its tape does not have.
   * @param {{ file: string, name: string, id: string }} test
   * @param {() => unknown} run
   * @param {() => 'passed' | 'failed' | 'skipped'} outcome of a run that did not reject, where the runner knows it
   */
  async run(test, run, outcome = () => 'passed') {
    const lane = await this.#begin(test);
    return inLane(lane.place, async () => {
      try {
        await run();
      } catch (error) {
        throw await this.#end(lane, 'failed', error);
      }
      const failure = await this.#end(lane, outcome());
      if (failure !== undefined) throw failure;
    });
  }

  /**
   * Begins a test whose runner has no function around it. Resolves with its tape, and with what ends it.
   * @param {{ file: string, name: string, id: string }} test
   */
  async enter(test) {
    if (isEntered) throw new Error('Tapedeck: tests that run at the same time need Vitest 4.1 or newer');
    isEntered = true;
    const lane = await this.#begin(test);
    enterLane(lane.place);
    const end = async (outcome) => {
      isEntered = false;
      enterLane(undefined);
      const failure = await this.#end(lane, outcome);
      if (failure !== undefined) throw failure;
    };
    return { tape: lane.tape, variables: lane.variables, end };
  }

  async #begin({ file, name, id }) {
    count += 1;
    const own = `${process.pid}-${count}`;
    const tape = tapeOf(file, name);
    const shown = relative(this.#root, tape).replaceAll('\\', '/');
    const rerecord = `Record it again: ${this.#rerecord(id)}`;
    const kept = `${relative(this.#root, file).replaceAll('\\', '/')}::${name}`;
    const begun = await this.#server.begin(own, { tape, mode: this.#mode, test: kept, rerecord });
    running += 1;
    // Where several tests run at once, a program that one of them starts cannot be told whose it is.
    for (const environment of this.#environments)
      Object.assign(environment, running === 1 ? begun.variables : this.#server.variables);
    return {
      own,
      shown,
      tape,
      variables: begun.variables,
      place: { name: own, base: this.#server.base, upstreams: this.#upstreams(begun.variables) },
    };
  }

  #upstreams(variables) {
    return Object.entries(this.#before).flatMap(([name, before]) => {
      const [, api] = /\/~[^/]+\/([a-z][a-z0-9-]*)$/.exec(variables[name] ?? '') ?? [];
      return before && api && !before.startsWith(this.#server.base) ? [[before.replace(/\/+$/, ''), api]] : [];
    });
  }

  /** Resolves with what the test failed by, if it did. */
  async #end({ own, shown }, outcome, error) {
    running -= 1;
    if (running === 0) this.#restore();
    const { failures } = await this.#server.end(own, outcome);
    return failures.length === 0 ? error : driftError(failures, shown, error);
  }

  #restore() {
    for (const environment of this.#environments)
      for (const [name, before] of Object.entries(this.#before))
        if (before === undefined) delete environment[name];
        else environment[name] = before;
  }
}

/**
 * The errors of a test without those of its client that say what the drift says, at greater length.
 * @template T
 * @param {readonly T[]} errors
 * @param {(one: T) => unknown} errorOf
 */
export function withoutRepeats(errors, errorOf = (one) => one) {
  return errors.filter((one) => !String(errorOf(one)?.message).includes('Tapedeck: '));
}

/** An error that begins with what the tape does not have. */
function driftError([first, ...others], tape, cause) {
  const [headline, ...details] = first.explanation.split('\n');
  const lines = [
    `Tapedeck: ${first.line === undefined ? headline : `the request is not on ${tape}`}`,
    ...details.map((line) => `  ${line.trim()}`),
    ...(others.length > 0 ? [`  ${others.length} more of its requests failed.`] : []),
  ];
  const error = new Error(lines.join('\n'), cause === undefined ? undefined : { cause });
  error.name = 'TapedeckDrift';
  // The drift says where it is; the frames that matter are those of the test.
  error.stack = `${error.name}: ${error.message}\n${framesOf(cause)}`;
  return error;
}

function framesOf(error) {
  const lines = String(error?.stack ?? '').split('\n');
  return lines.filter((line) => /^\s+at /.test(line) && !/node_modules|node:/.test(line)).join('\n');
}

/** `__tapes__/FILE/NAME.tape.jsonl` beside the file of the test. */
function tapeOf(file, name) {
  return join(dirname(file), '__tapes__', basename(file), `${fileName(name)}.tape.jsonl`);
}

const LONGEST = 100;

/** Two tests never share a file: a name that no file can have is changed, and gets a digest of the original. */
function fileName(name) {
  const plain = name
    .replace(/ > /g, '-')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|-+$/g, '')
    .slice(0, LONGEST);
  // What only lost its spaces reads the same.
  if (plain.length === name.length || name.replace(/ > | /g, '-') === plain) return plain;
  return `${plain}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}
