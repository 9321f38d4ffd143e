import { AgentTestError } from '../agent-test-error.ts';
import { fits, lines, show } from './fits.ts';

/** Whatever has events: a run of a test, the record of a test context, or a list collected from `handle.events()`. */
export type HasEvents =
  | { events: readonly EventLike[] }
  | { recorded: { events: readonly EventLike[] } }
  | readonly EventLike[];
export interface EventLike {
  type: string;
}

/** Properties that an event has to have; a regular expression fits a text. */
export type EventPattern = { type: string } & Record<string, unknown>;

/**
 * The first event that fits a type or a pattern.
 * @throws {AgentTestError} `ExpectationFailed` listing the events that came.
 */
export function expectEvent(run: HasEvents, expected: string | EventPattern): EventLike & Record<string, unknown> {
  const pattern = patternOf(expected);
  const events = eventsOf(run);
  const found = events.find((event) => fits(event, pattern));
  if (found) return found as EventLike & Record<string, unknown>;
  const same = events.filter(({ type }) => type === pattern.type);
  const came = same.length
    ? `of that type came:${lines(same.map(show))}`
    : `these types came:${lines(events.map(({ type }) => type))}`;
  throw new AgentTestError('ExpectationFailed', `Expected an event ${show(pattern)}, but ${came}`);
}

/** @throws {AgentTestError} `ExpectationFailed` showing the events that fit. */
export function expectNoEvent(run: HasEvents, expected: string | EventPattern): void {
  const pattern = patternOf(expected);
  const found = eventsOf(run).filter((event) => fits(event, pattern));
  if (!found.length) return;
  throw new AgentTestError(
    'ExpectationFailed',
    `Expected no event ${show(pattern)}, but there came:${lines(found.map(show))}`,
  );
}

/**
 * Expects events in this order; others may come between them.
 * @throws {AgentTestError} `ExpectationFailed` naming the first that is missing.
 */
export function expectEventOrder(run: HasEvents, patterns: ReadonlyArray<string | EventPattern>): void {
  const events = eventsOf(run);
  let from = 0;
  for (const [index, pattern] of patterns.entries()) {
    const wanted = patternOf(pattern);
    const at = events.findIndex((event, place) => place >= from && fits(event, wanted));
    if (at < 0) {
      const after = index === 0 ? '' : ` after ${show(patterns[index - 1])}`;
      throw new AgentTestError(
        'ExpectationFailed',
        `Expected an event ${show(wanted)}${after}, but the events were:${lines(events.map(({ type }) => type))}`,
      );
    }
    from = at + 1;
  }
}

function patternOf(expected: string | EventPattern): EventPattern {
  return typeof expected === 'string' ? { type: expected } : expected;
}

function eventsOf(run: HasEvents): readonly EventLike[] {
  if ('recorded' in run) return run.recorded.events;
  return 'events' in run ? run.events : run;
}
