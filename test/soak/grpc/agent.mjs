// Calls the echo with @grpc/grpc-js, and prints what it got.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const grpc = createRequire(join(process.cwd(), 'package.json'))('@grpc/grpc-js');
const write = (text) => Buffer.concat([Buffer.from([0x0a, text.length]), Buffer.from(text)]);
const read = (bytes) => bytes.subarray(2).toString();
const kinds = { Unary: [false, false], Count: [false, true], Join: [true, false], Talk: [true, true] };
const methods = Object.fromEntries(
  Object.entries(kinds).map(([name, [requestStream, responseStream]]) => [
    name,
    {
      ...{ path: `/test.Echo/${name}`, requestStream, responseStream },
      ...{ requestSerialize: write, requestDeserialize: read, responseSerialize: write, responseDeserialize: read },
    },
  ]),
);
const Echo = grpc.makeGenericClientConstructor(methods, 'Echo');
const said = ['a', 'b', process.argv[2] ?? 'c'];
const streamed = (stream) =>
  new Promise((resolve, reject) => {
    const got = [];
    stream.on('data', (one) => got.push(one));
    stream.on('error', reject);
    stream.on('end', () => resolve(got));
  });

for (const [target, credentials] of [
  ['echo.test:443', grpc.credentials.createSsl()],
  ['plain.test:80', grpc.credentials.createInsecure()],
]) {
  const echo = new Echo(target, credentials);
  const done = (resolve, reject) => (error, value) => (error ? reject(error) : resolve(value));
  console.log(await new Promise((resolve, reject) => echo.Unary('a', done(resolve, reject))));
  console.log(await streamed(echo.Count('3')));
  console.log(
    await new Promise((resolve, reject) => {
      const stream = echo.Join(done(resolve, reject));
      for (const word of said) stream.write(word);
      stream.end();
    }),
  );
  const talk = echo.Talk();
  const got = streamed(talk);
  for (const word of said) talk.write(word);
  talk.end();
  console.log(await got);
  echo.close();
}
