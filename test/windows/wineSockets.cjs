// Wine refuses to connect a socket that is to be kept alive before it is connected, as `fetch` of Node asks for; Windows does not.
const { Socket } = require('node:net');

const { setKeepAlive } = Socket.prototype;

Socket.prototype.setKeepAlive = function (...options) {
  if (!this.pending) return setKeepAlive.apply(this, options);
  return this.once('connect', () => setKeepAlive.apply(this, options));
};
