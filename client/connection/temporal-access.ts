import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Configuration } from '../../config/configuration.ts';
import { definedOnly } from '../../config/environment.ts';
import { packageRoot } from '../../config/package-root.ts';
import { noTracer, type Tracer } from '../../domain/telemetry/tracer.ts';
import { openTracer } from '../../telemetry/open-tracer.ts';
import { dataConverterOf } from '../../temporal/data-converter.ts';
import { ClientError, closedError } from '../errors.ts';

/** Timeout of the first connection; a local server answers in milliseconds, a cloud server within a second. */
const connectTimeout = '5 seconds';

/** The SDK's longest pause before it retries a call, in milliseconds: 5 seconds and a fifth. */
const longestPauseMs = 6_000;

/** The client's access to Temporal; loads the library and connects on first use. */
export interface TemporalAccess {
  /** @throws {ClientError} `TemporalUnreachable` if the server does not answer. */
  use<Result>(work: (client: Client) => Promise<Result>): Promise<Result>;
  /** Cancels the calls that are under way. */
  close(): Promise<void>;
}

export interface TemporalAccessOptions {
  configuration: Configuration;
  /** Read for TEMPORAL_* profile settings (TLS, API key ...) if TEMPORAL_ADDRESS is set. */
  environment: Record<string, string | undefined>;
  /** Returns the server's `host:port`. */
  address(): string;
}

export function createTemporalAccess(options: TemporalAccessOptions): TemporalAccess {
  let opening: Promise<Client> | undefined;
  const calls = new Map<AbortController, Promise<unknown>>();
  const state: ConnectionState = { closed: false, tracer: noTracer };
  const open = () => {
    opening ??= connect(options, state).catch((error) => {
      opening = undefined; // so that the next call tries again
      throw error;
    });
    return opening;
  };
  return {
    async use(work) {
      if (state.closed) throw closedError();
      const client = await open();
      const call = new AbortController();
      setMaxListeners(0, call.signal); // each request of the work adds one
      const result = client.withAbortSignal(call.signal, () => work(client));
      calls.set(call, result);
      try {
        return await result;
      } catch (error) {
        if (state.closed) throw closedError();
        if (!isTemporalUnreachable(error)) throw error;
        throw unreachable(options.address(), error);
      } finally {
        calls.delete(call);
      }
    },
    async close() {
      state.closed = true;
      for (const call of calls.keys()) call.abort();
      // A call that is about to be retried must end first: on a closed connection the SDK would throw from a timer, which ends the process.
      await Promise.race([Promise.allSettled(calls.values()), sleep(longestPauseMs, undefined, { ref: false })]);
      const client = await opening?.catch(() => undefined); // a failed connection needs no closing
      await client?.connection.close();
      await state.tracer.close();
    },
  };
}

interface ConnectionState {
  closed: boolean;
  tracer: Tracer;
}

async function connect(
  { configuration, environment, address }: TemporalAccessOptions,
  state: ConnectionState,
): Promise<Client> {
  const server = address();
  const { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } = await import(
    './temporal-client.ts'
  );
  const { connectionOptions, namespace } = configuration.temporal.address
    ? await readProfile(environment)
    : { connectionOptions: {}, namespace: undefined };
  const retry = defaultGrpcRetryOptions();
  const interceptor = makeGrpcRetryInterceptor({
    ...retry,
    retryableDecider: (attempt, status) => !state.closed && retry.retryableDecider(attempt, status),
  });
  const interceptors = [interceptor];
  const connection = Connection.lazy({ ...connectionOptions, address: server, connectTimeout, interceptors });
  try {
    await connection.ensureConnected();
  } catch (error) {
    await connection.close(); // or it would keep trying
    throw unreachable(server, error);
  }
  state.tracer = await openTracer(configuration.tracing, { warn: (message) => console.warn(message) });
  return new Client({
    connection,
    namespace: namespace ?? configuration.temporal.namespace,
    ...dataConverterOf(configuration.temporal.payloadKeys, packageRoot()),
    ...(state.tracer.isOn && { interceptors: { workflow: [await loadInterceptor(state.tracer)] } }),
  });
}

async function loadInterceptor(tracer: Tracer) {
  const { traceInterceptor } = await import('./trace-interceptor.ts');
  return traceInterceptor(tracer);
}

async function readProfile(environment: Record<string, string | undefined>) {
  const { loadClientConnectConfig } = await import('./temporal-client.ts');
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: definedOnly(environment) });
  const { apiKey, tls, metadata } = connectionOptions;
  return {
    connectionOptions: { ...(apiKey && { apiKey }), ...(tls && { tls }), ...(metadata && { metadata }) },
    namespace,
  };
}

function unreachable(server: string, cause: unknown): ClientError {
  const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
  return new ClientError(
    'TemporalUnreachable',
    `Expected a Temporal server at ${server}, but none answers (${why}). Start the stack with \`longhaul up -d\`, or check TEMPORAL_ADDRESS and its TEMPORAL_TLS*, TEMPORAL_API_KEY settings.`,
    { cause },
  );
}

/** gRPC status codes: https://grpc.io/docs/guides/status-codes/ */
const deadlineExceeded = 4;
const unavailable = 14;

/** Whether an error of Temporal's client means that the server did not answer. */
export function isTemporalUnreachable(error: unknown): boolean {
  for (const { code } of causesOf(error)) {
    if (code === deadlineExceeded || code === unavailable) return true;
  }
  return false;
}

/** An error and its chain of causes, outermost first; includes errors of another realm (a worker's, a test's). */
export function* causesOf(error: unknown): Generator<{ code?: unknown; message?: unknown }> {
  for (let one = error; typeof one === 'object' && one !== null; one = (one as { cause?: unknown }).cause) yield one;
}
