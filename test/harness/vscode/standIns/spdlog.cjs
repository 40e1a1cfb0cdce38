// Stands in for @vscode/spdlog, whose native half npm would have to compile: the log files behind VS Code's output channels,
// written at once and never rotated.
const { appendFileSync, mkdirSync } = require('node:fs');
const path = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  #file;
  #level = 2;
  #plain = false;

  /** @param {string} file */
  constructor(file) {
    this.#file = file;
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, '');
  }

  /** @param {number} level @param {string} message */
  #write(level, message) {
    if (level < this.#level) return;
    const time = new Date().toISOString().replace('T', ' ').slice(0, -1);
    appendFileSync(this.#file, this.#plain ? message : `${time} [${levels[level]}] ${message}\n`);
  }

  getLevel() {
    return this.#level;
  }

  /** @param {number} level */
  setLevel(level) {
    this.#level = level;
  }

  clearFormatters() {
    this.#plain = true;
  }

  trace = this.#at(0);
  debug = this.#at(1);
  info = this.#at(2);
  warn = this.#at(3);
  error = this.#at(4);
  critical = this.#at(5);

  /**
   * @param {number} level
   * @returns {(message: string) => void}
   */
  #at(level) {
    return (message) => this.#write(level, message);
  }

  setPattern() {}
  flush() {}
  drop() {}
}

/** @param {string} _name @param {string} file */
const createLogger = async (_name, file) => new Logger(file);

exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
