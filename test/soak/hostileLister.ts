// Reads a file as the list of tapes in the sidebar does.
import { FileLister } from '../../src/reader/listFile';

const [path = ''] = process.argv.slice(2);
const files = [{ file: path, path, secrets: { values: [], patterns: [] } }];
new FileLister().list({ files, layouts: {} }).then(([answer]) => {
  if (typeof answer === 'object' && 'failed' in answer) throw new Error(answer.failed);
  const { tape } = answer === undefined || answer === 'unchanged' ? {} : answer;
  console.log(
    tape?.formatLabel,
    tape?.interactions,
    tape?.problems.slice(0, 3).map(({ message }) => message.slice(0, 200)),
  );
});
