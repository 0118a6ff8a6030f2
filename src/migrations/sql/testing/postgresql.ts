import { connectPostgresql } from "../engines/postgresql/driver.ts";
import { DatabaseError } from "../errors.ts";
import type { LeaseDatabase } from "../types.ts";

/** Copies a template, which is migrated first where it is missing. */
export const lease: LeaseDatabase = async (server, environment, template, fill) => {
  const admin = await connectPostgresql(server, environment);
  const database = `${template}_${crypto.randomUUID().slice(0, 8)}`;
  try {
    const [rights] = await admin.send(MAY_CREATE);
    if (rights?.rows[0]?.may !== "t") {
      throw new DatabaseError(
        "refused",
        `The user '${rights?.rows[0]?.name}' may not create databases: expected one with CREATEDB`,
      );
    }
    // Of several processes, one makes the template.
    await admin.send(`SELECT pg_advisory_lock(hashtext('${template}'))`);
    const [found] = await admin.send(`SELECT FROM pg_database WHERE datname = '${template}'`);
    if (found?.rows.length === 0) {
      const draft = `${template}_new`;
      await admin.send(`DROP DATABASE IF EXISTS ${draft}`);
      await admin.send(`CREATE DATABASE ${draft}`);
      await fill(draft);
      await admin.send(`ALTER DATABASE ${draft} RENAME TO ${template}`);
    }
    await admin.send(`CREATE DATABASE ${database} TEMPLATE ${template}`);
  } finally {
    await admin.close();
  }
  const close = async () => {
    const admin = await connectPostgresql(server, environment);
    try {
      await admin.send(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    } finally {
      await admin.close();
    }
  };
  return { database, close };
};

const MAY_CREATE = "SELECT rolname AS name, rolcreatedb OR rolsuper AS may FROM pg_roles " +
  "WHERE rolname = current_user";
