import { SandboxError } from '../../sandbox/errors.ts';

export function lost(name: string): SandboxError {
  return new SandboxError(
    'SandboxLost',
    `The sandbox ${name} is gone with its files. Open a new one from the last checkpoint.`,
  );
}

export function unavailable(): SandboxError {
  return new SandboxError('HostUnavailable', 'The container host does not answer (scripted). Make it available again.');
}
