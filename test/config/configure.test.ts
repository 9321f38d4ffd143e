import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { readConfiguration } from '../../config/configuration.ts';
import { configure } from '../../config/configure.ts';
import type { LonghaulConfig } from '../../config/define-config.ts';
import { ConfigurationError } from '../../domain/configuration-error.ts';

afterEach(() => configure({}));

test('what a program configures takes precedence over the file, and variables over both', () => {
  const file = {
    path: '/data/longhaul.config.ts',
    config: { maxTurns: { code: 10 }, prompts: 'mine', models: { default: 'mine/small' } },
  };
  configure({ maxTurns: { code: 20 }, projectRoots: ['work'], models: { default: 'mine/large' } });
  const configuration = readConfiguration({ LONGHAUL_HOME: '/data', LONGHAUL_MODEL: 'openai/gpt-5' }, file);
  expect(configuration.agents).toMatchObject({ maxTurns: { code: 20 }, promptsFolder: '/data/mine' });
  expect(configuration.projects.roots).toEqual(['/data/projects', join(process.cwd(), 'work')]);
  expect(configuration.configFile).toBe('/data/longhaul.config.ts');
  expect(configuration.fileSettings.models).toEqual({ default: 'mine/large' });
});

test('it counts without a file, and a later call takes the place of an earlier one', () => {
  const sink = { onSpan() {} };
  configure({ tracing: { sinks: [sink] }, prompts: 'prompts' });
  const { tracing, agents, configFile } = readConfiguration({});
  expect(tracing.sinks).toEqual([sink]);
  expect(agents.promptsFolder).toBe(join(process.cwd(), 'prompts'));
  expect(configFile).toBeUndefined();
  configure({ chat: { tokens: 5000 } });
  expect(readConfiguration({})).toMatchObject({ tracing: { sinks: [] }, agents: { chat: { tokens: 5000 } } });
});

test('each wrong setting is named with what was expected, and nothing is set', () => {
  const wrong = {
    maxTurns: { code: 'many' },
    tracing: { endpoint: 'localhost', sinks: [42] },
    metrics: { address: 0 },
    logging: { format: 'xml' },
    unknown: true,
  } as unknown as LonghaulConfig;
  expect(() => configure(wrong)).toThrow(
    new ConfigurationError(
      [
        'configure() was given invalid settings.',
        "  maxTurns.code: expected number, got 'many'",
        "  tracing.endpoint: expected an address such as http://127.0.0.1:4318, got 'localhost'",
        '  tracing.sinks.0: expected a TraceSink: { onSpan(span), close?() }, got 42',
        '  metrics.address: expected a port from 1 to 65535, or a host and a port such as 127.0.0.1:9464, got 0',
        '  logging.format: expected one of "text"|"json", got \'xml\'',
        '  the settings: expected only known settings, got "unknown"',
      ].join('\n'),
    ),
  );
  expect(readConfiguration({}).agents.maxTurns).toEqual({});
});
