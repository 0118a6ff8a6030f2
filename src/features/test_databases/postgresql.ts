import {
  connectPostgresql,
  type PostgresqlConnection,
} from "../../migrations/sql/engines/postgresql/driver.ts";
import { DatabaseError } from "../../migrations/sql/errors.ts";
import type { LeaseDatabase, PlaceForTest } from "./lease.ts";

/** Copies a migrated template. A user who may not create databases gets a new schema each time. */
export const lease: LeaseDatabase = async (server, environment, template, fill) => {
  const name = `${template}_${crypto.randomUUID().slice(0, 8)}`;
  const withAdmin = async <T>(work: (admin: PostgresqlConnection) => Promise<T>): Promise<T> => {
    const admin = await connectPostgresql(server, environment);
    return await work(admin).finally(() => admin.close());
  };
  const drop = (sql: string) => withAdmin(async (admin) => void await admin.send(`DROP ${sql}`));
  const leased = (place: PlaceForTest, sql: string) => ({ ...place, close: () => drop(sql) });
  return await withAdmin(async (admin) => {
    if (await mayCreateDatabases(admin)) {
      await copyTemplate(admin, template, name, fill);
      return leased({ database: name }, `DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
    const place = { database: server.database, schema: name };
    await admin.send(`CREATE SCHEMA ${name}`);
    const lease = leased(place, `SCHEMA IF EXISTS ${name} CASCADE`);
    await fill(place).catch(async (error) => {
      await lease.close();
      throw error;
    });
    return lease;
  });
};

async function copyTemplate(
  admin: PostgresqlConnection,
  template: string,
  database: string,
  fill: (place: PlaceForTest) => Promise<void>,
): Promise<void> {
  // Only one of several processes makes the template.
  await admin.send(`SELECT pg_advisory_lock(hashtext('${template}'))`);
  const [found] = await admin.send(`SELECT FROM pg_database WHERE datname = '${template}'`);
  if (found?.rows.length === 0) {
    const draft = `${template}_new`;
    await admin.send(`DROP DATABASE IF EXISTS ${draft}`);
    await admin.send(`CREATE DATABASE ${draft}`);
    await fill({ database: draft });
    await admin.send(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  }
  await admin.send(`CREATE DATABASE ${database} TEMPLATE ${template}`);
}

async function mayCreateDatabases(admin: PostgresqlConnection): Promise<boolean> {
  const [answer] = await admin.send(
    "SELECT rolname AS name, current_database() AS database, rolcreatedb OR rolsuper AS databases, " +
      "has_database_privilege(current_database(), 'CREATE') AS schemas " +
      "FROM pg_roles WHERE rolname = current_user",
  );
  const { name, database, databases, schemas } = answer!.rows[0]!;
  if (databases === "t" || schemas === "t") return databases === "t";
  throw new DatabaseError(
    "refused",
    `The user '${name}' may create neither databases nor schemas: expected one with CREATEDB, or with ` +
      `CREATE on the database '${database}'`,
  );
}
