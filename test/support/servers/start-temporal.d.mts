export function startTemporal(dynamic?: string[]): Promise<{ address: string; stop(): Promise<void> }>;
