export function messagesIn(code: string): readonly string[];
export function sourceMessages(): readonly string[];
export function readMessages(path: string): Readonly<Record<string, string>>;
export function pseudo(text: string): string;
