import type { ServiceDefinition } from '../supervisor/service-definition.ts';
import { builtProgram, parseLine } from './program.ts';

/** The model that answers from a folder of prepared answers, used if neither a key nor an address of a real one is set. */
export function createScriptedModelService(script: string, environment: Record<string, string>): ServiceDefinition {
  return {
    name: 'scripted-model',
    after: [],
    ports: { port: 4010 },
    async command({ ports }) {
      return {
        file: process.execPath,
        parameters: [builtProgram('testing/scripted-model/main'), '--script', script, '--port', String(ports.port)],
        environment,
      };
    },
    async ready({ signal }, log) {
      const url = await log.find((line) => {
        const found = parseLine(line)?.url;
        return typeof found === 'string' ? found : undefined;
      }, signal);
      return { url, addresses: { model: url } };
    },
    readyMs: 30_000,
    stop: { signal: 'SIGTERM', graceMs: 1_000 },
  };
}
