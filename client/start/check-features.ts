import { checkProposal, type Proposal } from '../../domain/project/proposal.ts';
import { ClientError } from '../errors.ts';

/**
 * Validates a person's own list of features like an initializer's.
 * @throws {ClientError} `InvalidInput` with one line per complaint.
 */
export function checkFeatures(value: unknown, origin = 'The list of features'): Proposal {
  const checked = checkProposal(value);
  if ('proposal' in checked) return checked.proposal;
  throw new ClientError(
    'InvalidInput',
    `${origin} cannot be used:\n${checked.complaints.map((one) => `  ${one}`).join('\n')}`,
  );
}
