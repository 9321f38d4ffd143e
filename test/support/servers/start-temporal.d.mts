export function startTemporal(dynamic?: string[]): Promise<{ address: string; stop(): Promise<void> }>;
export function untilAnswers(address: string, server: import('node:child_process').ChildProcess): Promise<void>;
