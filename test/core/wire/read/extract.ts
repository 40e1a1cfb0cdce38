import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { HttpExchange } from '../../../../src/core/model/http';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { decodeTapeFile } from '../../../../src/core/tapes/tapeFile';

/** An HTTP exchange of a file of the corpus. */
export interface Extracted {
  /** The folder of the corpus, which is the name of its format. */
  readonly format: string;
  readonly file: string;
  readonly index: number;
  readonly exchange: HttpExchange;
}

const HTTP_FORMATS = [
  'vcrpy-yaml',
  'vcrpy-parsed-body',
  'ruby-vcr-yaml',
  'r-vcr-yaml',
  'go-vcr-yaml',
  'httpmock-yaml',
  'azure-test-proxy-json',
  'opencode-http-recorder-json',
  'httprr',
];

/** Every file under a folder, sorted. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

/** The exchanges of all HTTP recordings of the corpus, in file order. */
export function* extractCorpus(corpus: string): Generator<Extracted> {
  for (const format of HTTP_FORMATS)
    for (const path of filesUnder(join(corpus, format))) {
      const file = decodeTapeFile(relative(corpus, path), readFileSync(path));
      for (const { index, http } of detectFormat(file)?.read(file).interactions ?? [])
        if (http !== undefined) yield { format, file: file.path, index, exchange: http };
    }
}
