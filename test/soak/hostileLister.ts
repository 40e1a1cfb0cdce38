// Reads a file as the list of tapes in the sidebar does.
import { FileLister } from '../../src/reader/listFile';

const [path = ''] = process.argv.slice(2);
new FileLister().list({ file: path, path, secrets: { values: [], patterns: [] } }).then((answer) => {
  const { tape } = answer === 'unchanged' ? {} : answer;
  console.log(
    tape?.formatLabel,
    tape?.interactions,
    tape?.problems.slice(0, 3).map(({ message }) => message.slice(0, 200)),
  );
});
