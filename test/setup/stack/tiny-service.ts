import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStateFile, type ServiceRecord } from '../../../config/stack-record.ts';
import type { ServiceDefinition } from '../../../setup/stack/service-definition.ts';
import type { StackEvent } from '../../../setup/stack/stack-event.ts';

/** A home with a journal that tiny services write to. */
export function makeHome(): { home: string; journal(): string[]; note(line: string): void; remove(): void } {
  const home = mkdtempSync(join(tmpdir(), 'longhaul-stack-'));
  const file = join(home, 'journal');
  return {
    home,
    journal: () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []),
    note: (line) => appendFileSync(file, `${line}\n`),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** A service that is a real process and writes `<name> up` and `<name> down` to the journal; `script` runs before `up`. */
export function tinyService(
  home: string,
  name: string,
  options: Partial<ServiceDefinition> & { script?: string; ignoreSignal?: boolean } = {},
): ServiceDefinition {
  const { script = '', ignoreSignal = false, ...changes } = options;
  const program = `
    const { appendFileSync } = require('node:fs');
    const journal = (line) => appendFileSync(${JSON.stringify(join(home, 'journal'))}, ${JSON.stringify(name)} + ' ' + line + '\\n');
    process.on('SIGTERM', () => { journal('down'); ${ignoreSignal ? '' : 'process.exit(0);'} });
    ${script}
    journal('up');
    console.log('ready');
    setInterval(() => {}, 1000);`;
  return {
    name,
    after: [],
    ports: {},
    command: async () => ({
      file: process.execPath,
      parameters: ['-e', program],
      environment: { PATH: process.env.PATH },
    }),
    async ready(_context, log) {
      await log.find((line) => (line === 'ready' ? true : undefined), _context.signal);
      return { url: null };
    },
    readyMs: 120_000,
    stop: { signal: 'SIGTERM', graceMs: 60_000 },
    ...changes,
  };
}

/** Collects events; `until` waits for that many of a kind. */
export function watchEvents(): {
  events: StackEvent[];
  onEvent(event: StackEvent): void;
  until(isIt: (event: StackEvent) => boolean, count?: number): Promise<void>;
} {
  const events: StackEvent[] = [];
  return {
    events,
    onEvent: (event) => events.push(event),
    async until(isIt, count = 1) {
      while (events.filter(isIt).length < count) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}

/** The service's entry in stack.json. */
export function recordOf(home: string, name: string): ServiceRecord {
  const record = readStateFile(home)?.services.find((service) => service.name === name);
  if (record === undefined) throw new Error(`Expected ${name} in the stack's state, it is not there.`);
  return record;
}
