import { InvalidArgumentError } from 'commander';

/** An option's whole number from 1. */
export function parseCount(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number from 1.');
}

/** The same from 0. */
export function parseCountOrZero(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number.');
}
