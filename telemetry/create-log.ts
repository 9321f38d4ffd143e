import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Log, LogFields } from '../domain/telemetry/log.ts';
import type { LoggingSettings } from '../domain/telemetry/settings.ts';
import { formatEntry, type LogEntry } from './format-entry.ts';

/**
 * A log that writes one JSON object a line, or for people one line a message and then what belongs to it. The stream sees whole entries, so that it may
 * take secrets out of them.
 */
export function createLog({ level, format }: LoggingSettings, stream: { write(text: string): unknown }): Log {
  const output = format === 'json' ? stream : textOutput(stream);
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.err },
    },
    output as pino.DestinationStream,
  );
  const write =
    (at: keyof Log) =>
    (message: string, fields: LogFields = {}) =>
      logger[at](fields, message);
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function textOutput(stream: { write(text: string): unknown }): Writable {
  return new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      stream.write(formatEntry(JSON.parse(line) as LogEntry));
      done();
    },
  });
}
