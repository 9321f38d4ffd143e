import proto from '@temporalio/proto';
import type { NativeConnection } from '@temporalio/worker';
import { featureAttribute, projectAttribute, statusAttribute } from '../workflows/messages.ts';

/** Registers the search attributes that projects set; those that are there stay. */
export async function registerSearchAttributes(connection: NativeConnection, namespace: string): Promise<void> {
  const { INDEXED_VALUE_TYPE_KEYWORD } = proto.temporal.api.enums.v1.IndexedValueType;
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const wanted = [projectAttribute, statusAttribute, featureAttribute].map((key) => key.name);
  const missing = wanted.filter((name) => !(name in customAttributes));
  if (!missing.length) return;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, INDEXED_VALUE_TYPE_KEYWORD])),
  });
}
