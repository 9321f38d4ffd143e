import { findSecret } from '../../domain/secrets/find-secrets.ts';
import { ProjectToolError } from './project-tool-error.ts';

/**
 * What is stored with a project is read by its agents and shown in reports.
 * @throws {ProjectToolError} `SecretRefused` if a text seems to contain a secret.
 */
export function refuseSecrets(texts: string[]): void {
  const secret = findSecret(texts.join('\n'));
  if (secret === undefined) return;
  throw new ProjectToolError(
    'SecretRefused',
    `The text seems to contain ${secret} and was not stored. Leave the secret out; name the place where it is stored.`,
  );
}
