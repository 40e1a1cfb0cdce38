export function messagesIn(code: string): readonly string[];
export function sourceFiles(folders: readonly string[]): readonly (readonly [path: string, code: string])[];
export function sourceMessages(): readonly string[];
export function readMessages(path: string): Readonly<Record<string, string>>;
export function pseudo(text: string): string;
