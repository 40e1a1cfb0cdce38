// Says where its models are, and waits for the end of its input: what it is measured by asks in its place.
const { OPENAI_BASE_URL: base, HTTPS_PROXY: proxy, SSL_CERT_FILE: trust } = process.env;
console.log(`AGENT ${JSON.stringify({ base, proxy, trust })}`);
process.stdin.resume();
