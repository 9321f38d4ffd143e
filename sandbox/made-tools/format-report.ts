import type { ToolReport } from './run-made-tool.ts';

interface Limits {
  timeoutSeconds: number;
  memoryMegabytes: number;
}

/** The outcome of a call, worded for the model; `error` is set if there is no result. */
export function formatReport(report: ToolReport, limits: Limits): { text: string; error?: string } {
  if (report.outcome === 'returned') return { text: join(report.value ?? '', report.output) };
  const error = whatWentWrong(report, limits);
  return { error, text: join(error, report.output) };
}

/** What went wrong with the tests; undefined if they passed. */
export function formatFailedTests(report: ToolReport, limits: Limits): string | undefined {
  if (report.outcome === 'ended' && report.exitCode === 0) return undefined;
  const failed = report.outcome === 'ended' && report.exitCode > 0;
  return join(failed ? 'they fail' : whatWentWrong(report, limits), report.output.trim().slice(-4000));
}

function whatWentWrong(report: ToolReport, { timeoutSeconds, memoryMegabytes }: Limits): string {
  switch (report.outcome) {
    case 'failed':
      return report.error ?? 'The tool failed.';
    case 'timed-out':
      return `The tool was stopped after its timeout of ${timeoutSeconds} s (\`tools.timeoutSeconds\`).`;
    case 'too-large':
      return 'The result is larger than 1 MB.';
    case 'cancelled':
      return 'The tool was stopped.';
    case 'ended':
      return report.exitCode === -9
        ? `The tool was killed, most likely because it used more than ${memoryMegabytes} MB of memory (\`tools.memoryMegabytes\`).`
        : `The tool's process ended with exit code ${report.exitCode} and no result.`;
    default:
      return 'The tool was killed with all its processes: it used too much memory or too many processes.';
  }
}

function join(text: string, output: string): string {
  return output.trim() ? `${text}\n[Output:\n${output.trimEnd()}]` : text;
}
