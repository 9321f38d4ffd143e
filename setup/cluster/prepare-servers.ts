import type { Configuration } from '../../config/configuration.ts';
import { createEventBus } from '../../db/bus/create-event-bus.ts';
import { migrateDatabase } from '../../db/connection/migrate.ts';
import type { Reporter } from '../reporter.ts';
import { connectTemporal } from './connect-temporal.ts';
import { prepareTemporal } from './prepare-temporal.ts';

/** Prepares the servers that the configuration names instead of our own: the database's schema, Temporal's namespace and attributes, Redis. */
export async function prepareServers(options: {
  configuration: Configuration;
  environment: Record<string, string | undefined>;
  reporter: Reporter;
}): Promise<void> {
  const { configuration, environment, reporter } = options;
  if (configuration.database.url) {
    const step = reporter.begin('database', 'bringing the schema up to date');
    try {
      await migrateDatabase(configuration.database.url);
    } catch (error) {
      step.fail('the schema could not be updated');
      throw error;
    }
    step.done('DATABASE_URL has the newest schema');
  }
  await reportRedis(configuration, reporter);
  const { address, namespace } = configuration.temporal;
  if (address) {
    const step = reporter.begin('Temporal', `namespace and search attributes at ${address}`);
    try {
      const connection = await connectTemporal(address, environment);
      try {
        const { added, leftToOperators } = await prepareTemporal(connection, namespace);
        step.done(added.length > 0 ? `added ${added.join(', ')}` : `namespace ${namespace} at ${address}`);
        if (leftToOperators !== undefined) reporter.note(`    ${leftToOperators}`);
      } finally {
        await connection.close();
      }
    } catch (error) {
      step.fail(`${address} could not be prepared`);
      throw error;
    }
  }
}

/** Says whether Redis answers, if it carries live output; all else works without it. */
async function reportRedis({ events }: Configuration, reporter: Reporter): Promise<void> {
  if (events.bus !== 'redis') return;
  const step = reporter.begin('Redis', `live output by ${new URL(events.url).host}`);
  const bus = createEventBus({ settings: events, databaseUrl: '', onTrouble: () => {} }); // what is published says it
  try {
    await bus.publish('longhaul-up', '');
    step.done(`${new URL(events.url).host} answers`);
  } catch (error) {
    step.fail(
      `${error instanceof Error ? error.message : error} Until it does, answers are shown once they are complete.`,
    );
  } finally {
    await bus.close();
  }
}
