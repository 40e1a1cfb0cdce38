import type { PythonTest } from './pythonTests';

/** The part of pytest's node id after the file: `TestClass::test_name`. */
export function nodeName({ classes, name }: Pick<PythonTest, 'classes' | 'name'>): string {
  return [...classes, name].join('::');
}
