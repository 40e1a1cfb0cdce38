// Stands in for native-watchdog, which ends an extension host whose server is gone: here guard.mjs does that.
exports.start = () => {};
exports.exit = (/** @type {number} */ code) => process.exit(code);
