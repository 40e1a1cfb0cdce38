/** The key under which the folder of the sample project is remembered, as a URI, until it has been opened for the first time. */
export const NEW_SAMPLE = 'tapedeck.newSample';
