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
      return report.error ?? 'It failed.';
    case 'timed-out':
      return `It took longer than ${timeoutSeconds} seconds (\`tools.timeoutSeconds\`) and was stopped.`;
    case 'too-large':
      return 'Its result is larger than 1 MB.';
    case 'cancelled':
      return 'It was stopped.';
    case 'ended':
      return report.exitCode === -9
        ? `It was killed, most likely since it used more than ${memoryMegabytes} MB of memory (\`tools.memoryMegabytes\`).`
        : `It ended its process with exit code ${report.exitCode}, without a result.`;
    default:
      return 'It was killed with all that ran beside it: it used more memory or processes than it may.';
  }
}

function join(text: string, output: string): string {
  return output.trim() ? `${text}\n[It printed:\n${output.trimEnd()}]` : text;
}
