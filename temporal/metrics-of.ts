import type { MetricMeter } from '@temporalio/common';
import { Runtime } from '@temporalio/worker';
import { type Metrics, noMetrics } from '../domain/telemetry/metrics.ts';
import type { MetricsSettings } from '../domain/telemetry/settings.ts';

/** Longhaul's metrics of this process, whose runtime serves them; none without an address. */
export function metricsOf({ address }: MetricsSettings): Metrics {
  return address === undefined ? noMetrics : createMetrics(Runtime.instance().metricMeter);
}

/** Longhaul's own metrics on Temporal's meter, so that one port has both; docs/tracing.md lists them. */
function createMetrics(meter: MetricMeter): Metrics {
  const calls = meter.createCounter('longhaul_model_calls', 'calls', 'Model calls, by model and outcome');
  const tokens = meter.createCounter('longhaul_model_tokens', 'tokens', 'Tokens of model calls, by model and kind');
  const cost = meter.createHistogram('longhaul_model_cost_usd', 'float', 'USD', 'What model calls cost, by model');
  const duration = meter.createHistogram(
    'longhaul_model_call_duration_ms',
    'int',
    'ms',
    'From the request to the end of the answer',
  );
  const toolCalls = meter.createCounter('longhaul_tool_calls', 'calls', 'Tool calls, by tool and outcome');
  const runs = meter.createCounter('longhaul_runs', 'runs', 'Runs that ended, by kind and status');
  return {
    modelCall({ model, outcome, durationMs, inputTokens, cachedTokens, outputTokens, costUsd }) {
      calls.add(1, { model, outcome });
      tokens.add(inputTokens, { model, kind: 'input' });
      tokens.add(cachedTokens, { model, kind: 'cached' });
      tokens.add(outputTokens, { model, kind: 'output' });
      duration.record(Math.round(durationMs), { model });
      if (costUsd !== null) cost.record(costUsd, { model });
    },
    toolCall: (tool, outcome) => toolCalls.add(1, { tool, outcome }),
    runEnded: (kind, status) => runs.add(1, { kind, status }),
  };
}
