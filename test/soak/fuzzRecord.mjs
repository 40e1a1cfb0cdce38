import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** How far the fuzzing of each format has come, in a file from which it goes on. */
export class FuzzRecord {
  #file;
  #formats = {};

  /** Counts of other code, or of another seed, do not stand: they are kept as `before`. */
  constructor(file, seed, codes) {
    this.#file = file;
    const known = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    for (const [id, code] of codes) {
      const old = known[id];
      const none = { code, seed, runs: 0, rejected: 0, edited: 0, maxMs: 0, seconds: 0, failures: [], before: [] };
      if (old === undefined) this.#formats[id] = none;
      else if (old.code === code && old.seed === seed) this.#formats[id] = old;
      else {
        const { before, ...last } = old;
        this.#formats[id] = { ...none, before: last.runs > 0 ? [...before, last] : before };
      }
    }
  }

  of(id) {
    return this.#formats[id];
  }

  /** What a worker has counted since `before`. */
  add(id, before, counts, seconds) {
    const known = this.#formats[id];
    for (const key of ['runs', 'rejected', 'edited']) known[key] = before[key] + counts[key];
    known.maxMs = Math.max(before.maxMs, counts.maxMs);
    known.seconds = before.seconds + seconds;
  }

  fail(id, name, run) {
    this.#formats[id].failures.push({ name, run, times: 1 });
  }

  again(id, name) {
    const failure = this.#formats[id].failures.find((known) => known.name === name);
    if (failure !== undefined) failure.times += 1;
  }

  save() {
    if (this.#file !== undefined) writeFileSync(this.#file, `${JSON.stringify(this.#formats, null, 1)}\n`);
  }

  print(ids) {
    const rows = ids.map((id) => {
      const { code, runs, seconds, rejected, edited, maxMs, failures } = this.of(id);
      const share = runs === 0 ? 0 : Math.round((100 * rejected) / runs);
      const times = failures.reduce((sum, failure) => sum + failure.times, 0);
      return [id, runs, Math.round(runs / Math.max(seconds, 1)), `${share} %`, edited, Math.round(maxMs), times, code];
    });
    const columns = ['format', 'runs', 'runs/s', 'rejected', 'edited', 'max ms', 'failures', 'code'];
    const widths = columns.map((title, at) => Math.max(title.length, ...rows.map((row) => String(row[at]).length)));
    for (const row of [columns, ...rows])
      console.log(row.map((cell, at) => String(cell)[at === 0 ? 'padEnd' : 'padStart'](widths[at])).join('  '));
    for (const id of ids)
      for (const { name, run, times } of this.of(id).failures)
        console.log(`  ${id}: ${name}; ${times} times, first in run ${run}`);
  }
}
