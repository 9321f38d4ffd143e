import { checkProposal, type Proposal } from '../../agents/proposal.ts';
import { InvalidInputError } from '../errors.ts';

/**
 * A person's own list of features, checked as an initializer's would be.
 * @throws {InvalidInputError} with every complaint on a line of its own.
 */
export function checkFeatures(value: unknown, origin = 'The list of features'): Proposal {
  const checked = checkProposal(value);
  if ('proposal' in checked) return checked.proposal;
  throw new InvalidInputError(`${origin} cannot be used:\n${checked.complaints.map((one) => `  ${one}`).join('\n')}`);
}
