import { connectDocker } from '../sandbox/docker/host/connect-docker.ts';
import { checkIsolation, readIsolation } from '../sandbox/docker/host/isolation.ts';
import type { DockerDaemon } from './docker/find-daemon.ts';
import { prepareHome } from './prepare-home.ts';
import { performStep, type SetupContext } from './setup-step.ts';
import { dockerStep } from './steps/docker.ts';
import { embeddingModelStep } from './steps/embedding-model.ts';
import { type PostgresInstallation, postgresStep } from './steps/postgres.ts';
import { createSandboxImageStep } from './steps/sandbox-image.ts';
import { type TemporalCli, temporalCliStep } from './steps/temporal-cli.ts';

/** What the stack and the workers use. */
export interface SetupResult {
  /** Absent if TEMPORAL_ADDRESS names a server. */
  temporalCli?: TemporalCli;
  /** Absent if DATABASE_URL names a database. */
  postgres?: PostgresInstallation;
  /** The folder of the local embedding model; absent if another is named or it is unavailable. */
  embeddingModel?: string;
  docker: DockerDaemon;
  /** The tag of the sandboxes' image. */
  sandboxImage: string;
}

/**
 * Makes this machine ready for Longhaul. Safe to call at any time: what is there is only checked, what was interrupted is
 * finished, and two that run at once wait for each other.
 */
export async function runSetup(context: SetupContext): Promise<SetupResult> {
  const { configuration } = context;
  prepareHome(configuration.home);
  const temporalCli = configuration.temporal.address ? undefined : await performStep(temporalCliStep, context);
  const postgres = configuration.database.url ? undefined : await performStep(postgresStep, context);
  const embeddingModel = await performStep(embeddingModelStep, context);
  const docker = await performStep(dockerStep, context);
  await checkHost(docker, context);
  const sandboxImage = await performStep(createSandboxImageStep(docker, context.environment), context);
  return {
    ...(temporalCli ? { temporalCli } : {}),
    ...(postgres ? { postgres } : {}),
    ...(embeddingModel ? { embeddingModel } : {}),
    docker,
    sandboxImage,
  };
}

/** @throws {SandboxError} RuntimeMissing or SeccompUnreadable, before anything needs a sandbox. */
async function checkHost(
  { host }: DockerDaemon,
  { configuration, environment, reporter }: SetupContext,
): Promise<void> {
  const { isolation } = configuration.sandbox;
  await readIsolation(isolation);
  const remark = await checkIsolation(connectDocker(host, { environment }), isolation);
  if (remark !== undefined) reporter.note(`    ${remark}`);
}
