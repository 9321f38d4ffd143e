import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const configSchema = z.object({ currentContext: z.string().optional() });
const metaSchema = z.object({ Endpoints: z.object({ docker: z.object({ Host: z.string().min(1) }) }) });

/** A context of Docker's CLI (`docker context use`) other than the default one. */
export interface DockerContext {
  name: string;
  /** Its address in the format of DOCKER_HOST; absent if no context has that name. */
  host?: string;
  /** The folder of its TLS certificates, with the same file names as DOCKER_CERT_PATH. */
  certificates?: string;
  /** True if DOCKER_CONTEXT names it, false if it is the CLI's current context. */
  named: boolean;
}

/** The context that DOCKER_CONTEXT names, else the CLI's current one; undefined if that is the default context. */
export function readDockerContext(environment: Record<string, string | undefined>): DockerContext | undefined {
  const folder = environment.DOCKER_CONFIG || join(environment.HOME || homedir(), '.docker');
  const named = environment.DOCKER_CONTEXT?.trim();
  const name = named || readJson(join(folder, 'config.json'), configSchema)?.currentContext;
  if (!name || name === 'default') return undefined;
  const id = createHash('sha256').update(name).digest('hex');
  const host = readJson(join(folder, 'contexts', 'meta', id, 'meta.json'), metaSchema)?.Endpoints.docker.Host;
  const certificates = join(folder, 'contexts', 'tls', id, 'docker');
  return {
    name,
    ...(host === undefined ? {} : { host }),
    ...(existsSync(certificates) ? { certificates } : {}),
    named: Boolean(named),
  };
}

/** Undefined if the file is missing or invalid: it belongs to another program. */
function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
