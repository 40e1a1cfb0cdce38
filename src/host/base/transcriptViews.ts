/** The custom editor that shows a tape as a conversation; also the `activeCustomEditorId` of `when` clauses. */
export const TRANSCRIPT_VIEW_TYPE = 'tapedeck.transcript';
/** The same editor for files that are not always tapes, such as YAML, which it must not take over. */
export const OPTIONAL_VIEW_TYPE = 'tapedeck.transcript.optional';
/** The same for gzipped and zipped tapes, and for those too large for VS Code to give an extension their text. */
export const PACKED_VIEW_TYPE = 'tapedeck.transcript.packed';
/** The scheme of kept takes as documents, which cannot be written. */
export const TAKE_SCHEME = 'tapedeck-take';
