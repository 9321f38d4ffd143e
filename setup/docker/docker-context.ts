import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const configSchema = z.object({ currentContext: z.string().optional() });
const metaSchema = z.object({ Endpoints: z.object({ docker: z.object({ Host: z.string().min(1) }) }) });

/** Where the `docker` command goes (`docker context use`), other than to the default socket. */
export interface DockerContext {
  name: string;
  /** Its address, as DOCKER_HOST is written; absent where there is no context of that name. */
  host?: string;
  /** The folder of its certificates for TLS, laid out as DOCKER_CERT_PATH is. */
  certificates?: string;
  /** DOCKER_CONTEXT names it, and not only the `docker` command's own settings. */
  named: boolean;
}

/** The context that DOCKER_CONTEXT or else the `docker` command's settings name; undefined where that is the default one. */
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

/** Undefined also where the file is of another shape: it is another program's. */
function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
