export type { TemporalServer } from '../open-connection.ts';
export { connectWorker, type WorkerConnection } from './connect-worker.ts';
export type { InsertedRun, RunActivities } from './run-activities.ts';
