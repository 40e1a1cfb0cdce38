// Runs in the page before anything else: what VS Code would give it, and ears for what the tests ask about.
// Plain JavaScript, because what tsx makes of TypeScript does not run in another place than its own.
{
  let state = window.storedState;
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => window.sendToHost(message),
    getState: () => state,
    setState(next) {
      state = next;
      window.storedState = next;
    },
  });

  const receive = async () => {
    for (;;) window.postMessage(await window.nextFromHost(), '*');
  };
  void receive();

  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    window.reportCspViolation(`${violatedDirective} ${blockedURI} ${sample}`),
  );

  window.askedOfWorker = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.method !== undefined) window.askedOfWorker.push(message.method);
    return post.call(this, message, ...rest);
  };
}
