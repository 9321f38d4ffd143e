export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ['text', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/** What a message is about, by name; `error` may be anything that was thrown. */
export type LogFields = Record<string, unknown>;

/** Where a process writes what people who run it should know. */
export type Log = Record<LogLevel, (message: string, fields?: LogFields) => void>;

/** Writes nothing. */
export const noLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
