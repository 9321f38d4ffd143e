import type { StackAddresses } from '../../config/stack-record.ts';
import type { Progress, Reporter } from '../reporter.ts';
import { describeStackEvent, type StackEvent } from './state/stack-event.ts';

/** Shows a stack's events in the style of set-up: a line per service while it starts, a note for what comes later. */
export function createStackPrinter(reporter: Reporter): {
  onEvent(event: StackEvent): void;
  addresses(addresses: StackAddresses): void;
} {
  const starting = new Map<string, Progress>();
  const note = (event: StackEvent) => {
    const text = describeStackEvent(event);
    if (text !== undefined) reporter.note(`    ${text.replaceAll('\n', '\n    ')}`);
  };
  /** What is starting will not become ready; its line would stay below the last one. */
  function stopSpinning(): void {
    for (const progress of starting.values()) progress.fail('stopped');
    starting.clear();
  }
  return {
    onEvent(event) {
      const progress = 'service' in event ? starting.get(event.service) : undefined;
      if (event.type === 'service-starting' && progress === undefined) {
        starting.set(event.service, reporter.begin(event.service, 'starting'));
      } else if (event.type === 'service-ready' && progress !== undefined) {
        starting.delete(event.service);
        progress.done(event.url ?? 'ready');
      } else if (event.type === 'service-failed') {
        starting.delete(event.service);
        progress?.fail('failed'); // the reason is thrown, and shown by the command that started the stack
      } else {
        if (event.type === 'stack-stopping') stopSpinning();
        note(event);
      }
    },
    addresses({ ui, temporal, model }) {
      if (ui !== undefined) reporter.note(`\n  Temporal UI     ${ui}`);
      if (temporal !== undefined) reporter.note(`  Temporal        ${temporal}`);
      if (model !== undefined) reporter.note(`  scripted model  ${model} (no OPENAI_API_KEY is set)`);
    },
  };
}
