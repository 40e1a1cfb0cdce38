// Runs inside the extension host, before the real tests: what they print goes to a file that launcher.mjs reads along.
// Through the window it would come mixed with the window's own log.
const { Console } = require('node:console');
const { appendFileSync } = require('node:fs');
const { Writable } = require('node:stream');

const { TAPEDECK_HOST_OUTPUT = '', TAPEDECK_HOST_TESTS = '' } = process.env;

const output = new Writable({
  write(chunk, _encoding, done) {
    appendFileSync(TAPEDECK_HOST_OUTPUT, chunk);
    done();
  },
});
globalThis.console = new Console(output);
process.stdout.write = output.write.bind(output);
process.stderr.write = output.write.bind(output);

exports.run = async () => {
  await require(TAPEDECK_HOST_TESTS).run();
};
