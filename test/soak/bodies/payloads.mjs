// Bodies that recorders were seen to change or lose: compressed files that HTTP did not compress, texts in other charsets, what looks like
// something else. By name, each with its headers and bytes.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

const FILE = gzipSync('file content');
const TAR = Buffer.alloc(1024);
TAR.write('a.txt');
TAR.write('ustar', 257);
/** A frame of zstd that holds one raw block, `hi`. */
const ZSTD = Buffer.from('28b52ffd20021100006869', 'hex');
const bytes = (/** @type {number[]} */ ...list) => Buffer.from(list);

/** @type {Readonly<Record<string, { readonly headers: Readonly<Record<string, string>>, readonly body: Buffer }>>} */
export const PAYLOADS = {
  'gzip file': { headers: { 'content-type': 'application/gzip' }, body: FILE },
  'x-gzip file': { headers: { 'content-type': 'application/x-gzip' }, body: FILE },
  'gzip of no type': { headers: { 'content-type': 'application/octet-stream' }, body: FILE },
  'gzip without a type': { headers: {}, body: FILE },
  'gzip that is called text': { headers: { 'content-type': 'text/plain' }, body: FILE },
  tgz: { headers: { 'content-type': 'application/x-tar+gzip' }, body: gzipSync(TAR) },
  'zstd file': { headers: { 'content-type': 'application/zstd' }, body: ZSTD },
  'zlib stream': { headers: { 'content-type': 'application/zlib' }, body: deflateSync('zlib content') },
  'raw deflate': { headers: { 'content-type': 'application/octet-stream' }, body: deflateRawSync('raw content') },
  'brotli file': { headers: { 'content-type': 'application/x-br' }, body: brotliCompressSync('brotli content') },
  'gzip file in gzip coding': {
    headers: { 'content-type': 'application/gzip', 'content-encoding': 'gzip' },
    body: gzipSync(FILE),
  },
  'JSON in gzip coding': {
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync('{"z":"gzip"}'),
  },
  'base64 of gzip as text': { headers: { 'content-type': 'text/plain' }, body: Buffer.from(FILE.toString('base64')) },
  'protobuf like zlib': {
    headers: { 'content-type': 'application/x-protobuf' },
    body: bytes(8, 29, 18, 3, 97, 98, 99),
  },
  'protobuf like zlib, default level': {
    headers: { 'content-type': 'application/x-protobuf' },
    body: bytes(120, 156, 1, 2),
  },
  'half a gzip file': { headers: { 'content-type': 'application/octet-stream' }, body: FILE.subarray(0, 12) },
  zip: { headers: { 'content-type': 'application/zip' }, body: Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex') },
  'Latin-1': { headers: { 'content-type': 'text/plain; charset=iso-8859-1' }, body: Buffer.from('café', 'latin1') },
  'UTF-16': {
    headers: { 'content-type': 'text/plain; charset=utf-16' },
    body: Buffer.from('\ufeffcafé 🍐', 'utf16le'),
  },
  'every byte': {
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from(Array.from({ length: 256 }, (_, at) => at)),
  },
  'odd white space': {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from('a\r\nb\rc\n\u2028d\u0085e\ufefff\t \n\n'),
  },
  'odd JSON': {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"s":"\\ud83d","big":12345678901234567890,"f":1.0,"e":1e400,"d":1,"d":2}'),
  },
  'JSON with a BOM': { headers: { 'content-type': 'application/json' }, body: Buffer.from('\ufeff{"a":1}') },
  'control characters': { headers: { 'content-type': 'text/plain' }, body: bytes(0, 1, 7, 27, 91, 109, 127, 10) },
  empty: { headers: { 'content-type': 'application/json' }, body: Buffer.alloc(0) },
};
