import type { Sql, TransactionSql } from 'postgres';

/**
 * A client that prepares every statement once per connection. drizzle prepares none, which costs a second round trip each time, unless each query is
 * prepared by hand. A connection pooler that assigns a server connection per transaction cannot keep prepared statements: `?prepare=false` in the
 * database's address turns them off.
 */
export function prepareStatements(client: Sql): Sql {
  return client.options.prepare ? preparing(client) : client;
}

function preparing<Client extends Sql | TransactionSql>(client: Client): Client {
  const changed: Record<PropertyKey, unknown> = {
    unsafe: (text: string, parameters?: never[], options?: object) =>
      client.unsafe(text, parameters, { ...options, prepare: true }),
    begin: (work: (transaction: TransactionSql) => unknown) =>
      (client as Sql).begin((transaction) => work(preparing(transaction))),
    savepoint: (work: (transaction: TransactionSql) => unknown) =>
      (client as TransactionSql).savepoint((transaction) => work(preparing(transaction))),
  };
  return new Proxy(client, {
    get: (target, name) => changed[name] ?? Reflect.get(target, name),
  });
}
