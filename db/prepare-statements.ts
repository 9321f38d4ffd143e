import type { Sql, TransactionSql } from 'postgres';

/**
 * The client with every statement prepared once for each connection. drizzle asks for none, which costs a second round trip each
 * time; its own prepared queries have to be written out by hand, one by one. A connection pooler that gives out a server
 * connection for each transaction cannot keep statements: `?prepare=false` in the database's address leaves them unprepared.
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
