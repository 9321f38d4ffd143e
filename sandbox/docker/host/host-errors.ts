import { SandboxError } from '../../errors.ts';

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'EACCES',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Runs an action on the container host and converts its known failures to named errors; other errors pass through. */
export async function translateHostErrors<Value>(action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    throw translate(error);
  }
}

/** The error for an SSH host whose key is not known; undefined for any other error. */
export function hostKeyError(error: unknown): SandboxError | undefined {
  // The words of the SSH client.
  if (!/Host denied \(verification failed\)/.test((error as Error).message)) return undefined;
  return new SandboxError(
    'HostKeyUnknown',
    'The SSH key that the container host showed is not one that ~/.ssh/known_hosts has for it, so nothing was sent. ' +
      'Connect once with `ssh` to the host that DOCKER_HOST names, compare the fingerprint with `ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub` there, and accept it. ' +
      'If the host was known and its key has changed, find out why first: somebody may be in between.',
    { cause: error },
  );
}

function translate(error: unknown): unknown {
  const hostKey = hostKeyError(error);
  if (hostKey) return hostKey;
  const {
    code,
    syscall,
    statusCode,
    message = '',
  } = error as { code?: string; syscall?: string; statusCode?: number; message?: string };
  const fromSocket = syscall === undefined || ['connect', 'read', 'write', 'getaddrinfo'].includes(syscall);
  if (statusCode === undefined && code !== undefined && connectionErrors.has(code) && fromSocket) {
    return new SandboxError(
      'HostUnavailable',
      `The container host does not answer (${message}). Start the Docker daemon, or set DOCKER_HOST to a running one; then try again.`,
      { cause: error },
    );
  }
  if (statusCode === 404 && /no such image/i.test(message)) {
    return new SandboxError(
      'ImageMissing',
      `The container host does not have the image (${message.trim()}). Build it with 'longhaul setup', or set SANDBOX_IMAGE to an image that exists there.`,
      { cause: error },
    );
  }
  if (/unknown (or invalid )?runtime|runtime .* is not installed/i.test(message)) {
    return new SandboxError(
      'RuntimeMissing',
      `The container host does not know the runtime that sandbox.runtime names (${message.trim()}). Add it to /etc/docker/daemon.json and restart the daemon, or correct the setting.`,
      { cause: error },
    );
  }
  if (statusCode === 404 && /no such (container|exec)/i.test(message)) {
    return new SandboxError(
      'SandboxLost',
      `The sandbox is gone with its files (${message.trim()}). Open a new one from the last checkpoint.`,
      { cause: error },
    );
  }
  if (
    (statusCode === 409 || statusCode === 500) &&
    /not running|is (stopped|paused|restarting)|container stopped/i.test(message)
  ) {
    return new SandboxError(
      'SandboxStopped',
      `The sandbox is not running (${message.trim()}). Open it again, then repeat the call.`,
      { cause: error },
    );
  }
  return error;
}

/** Waits for an end or removal; one that is done already (404) or in progress, or of something in use (409), is left as it is. */
export async function ignoreGone(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!hasStatus(error, 404, 409)) throw error;
  }
}

/** Whether the container host answered with one of these HTTP statuses. */
export function hasStatus(error: unknown, ...statuses: number[]): boolean {
  return statuses.includes((error as { statusCode?: number }).statusCode ?? 0);
}
