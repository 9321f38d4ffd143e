import { join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { createPayloadCodec, type PayloadKey } from './payload-codec.ts';

/** How clients and workers convert what goes through Temporal: encrypted where there are keys, failures' messages included. */
export function dataConverterOf(
  keys: readonly PayloadKey[],
  /** The folder of Longhaul's package.json. */
  root: string,
): { dataConverter?: DataConverter } {
  const [first, ...others] = keys;
  if (!first) return {};
  return {
    dataConverter: {
      payloadCodecs: [createPayloadCodec([first, ...others])],
      failureConverterPath: join(root, 'temporal', 'encoding-failures.cjs'),
    },
  };
}
