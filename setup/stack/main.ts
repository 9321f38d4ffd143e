import { loadConfiguration } from '../../config/load-configuration.ts';
import { loadReporter } from '../reporter.ts';
import { up } from './up.ts';

// The stack in a process of its own (`longhaul up -d`); its output goes to its log.
try {
  await up({
    configuration: await loadConfiguration(process.env, () => import('../../models/index.ts')),
    environment: process.env,
    reporter: await loadReporter({ stream: process.stdout, interactive: false }),
    follow: false, // two that were started at once: one is enough in the background
  });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
