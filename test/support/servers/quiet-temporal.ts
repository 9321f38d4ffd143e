import { DefaultLogger, Runtime } from '@temporalio/worker';

/** The SDK's log of a worker's states and of activities that fail on purpose would bury what a test says. */
Runtime.install({ logger: new DefaultLogger('ERROR') });
