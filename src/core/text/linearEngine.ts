/**
 * The engine that matches in linear time. It is large, and most cases have no pattern, so that it is loaded with the first
 * pattern that is matched; `require`, because patterns are matched in synchronous code.
 */
export const linearEngine = (): typeof import('re2js').RE2JS => require('re2js').RE2JS;
