import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** A server's program that runs elsewhere, connected by its standard input and output. */
export interface Program {
  input: Writable;
  output: Readable;
  /** Ends the connection; its standard input ends, which ends the program. */
  close(): void;
}

/** Exchanges messages with a program, one JSON text a line. */
export function programTransport(
  { input, output, close }: Program,
  format: { buffer: ReadBuffer; serialize: typeof serializeMessage },
): Transport {
  const transport: Transport = {
    async start() {
      input.on('error', (error) => transport.onerror?.(error));
      output.on('error', (error) => transport.onerror?.(error));
      output.on('close', () => transport.onclose?.());
      output.on('data', read);
    },
    async send(message) {
      if (!input.write(format.serialize(message))) await once(input, 'drain');
    },
    async close() {
      close();
      output.destroy();
    },
  };

  function read(piece: Buffer): void {
    try {
      format.buffer.append(piece);
    } catch (error) {
      transport.onerror?.(error as Error); // a message that is too long
      void transport.close();
      return;
    }
    while (readMessage());
  }

  /** Whether there may be another one. */
  function readMessage(): boolean {
    try {
      const message = format.buffer.readMessage();
      if (message) transport.onmessage?.(message);
      return message !== null;
    } catch (error) {
      transport.onerror?.(error as Error); // a line that is no message
      return true;
    }
  }
  return transport;
}
