import { InvalidArgumentError } from 'commander';

/** Parses an option's value as a whole number of at least 1. */
export function parseCount(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number, 1 or more.');
}

/** Parses an option's value as a whole number of at least 0. */
export function parseCountOrZero(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number.');
}
