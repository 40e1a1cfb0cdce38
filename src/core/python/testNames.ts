import type { PythonTest } from './pythonTests';

/** The part of a node id after the file: `TestClass::test_name`. */
export function nodeName({ classes, name }: Pick<PythonTest, 'classes' | 'name'>): string {
  return [...classes, name].join('::');
}

/** How pytest names a test: `tests/test_a.py::TestA::test_b`. */
export function nodeId(testFile: string, test: Pick<PythonTest, 'classes' | 'name'>): string {
  return `${testFile}::${nodeName(test)}`;
}
