/** As what an interaction can be taken along. */
export type CopyKind = 'text' | 'markdown' | 'curl' | 'json' | 'case';
