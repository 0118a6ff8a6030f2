export const WORKED_EXAMPLES = {
  migrate: `
$ irori migrate -c config --sqlPath migrations
main: 2 files, 1 pending
  applied    002_items.sql  (sql 1 statement, 7 ms)
main: up to date, 1 applied, 1 unchanged (11 round trips)
`,
  status: `
$ irori status --check
main: 1 applied, 1 pending
  applied      001_orders.sql  (2026-11-23T10:30:55.069Z by ci-1)
  pending      002_items.sql
$ echo $?
4
`,
  plan: `
$ irori plan
main: 1 to apply
  002_items.sql  (sql 1 statement)
    CREATE TABLE items (id INTEGER PRIMARY KEY)
`,
  validate: `
$ irori validate -m search
logs: 12 files, valid
`,
  schema: `
$ irori schema
CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL);
`,
  types: `
$ irori types --out src/database.ts
src/database.ts: 2 tables, written
`,
  drift: `
$ irori drift
main: the schema differs from 2 applied files
@@ -1,1 +1,3 @@
 CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL);
+
+CREATE INDEX by_hand ON orders (total);
`,
  baseline: `
$ irori baseline --until 002_items.sql
main: 2 recorded without applying
  recorded  001_orders.sql
  recorded  002_items.sql
`,
  adopt: `
$ irori adopt --dry-run
main: Flyway, the table 'flyway_schema_history'
  adopted   V1__orders.sql
main: 1 would be recorded without applying, 0 pending
`,
  convert: `
$ irori convert reader.yaml --connection logs
written    migrations/logs/84-roles/reader-role.json
`,
  resolve: `
$ irori status
main: 1 interrupted
  interrupted  004_x.sql  (it stopped at statement 2, and 1 is applied)
$ irori resolve 004_x.sql --retry
main/004_x.sql: the next run applies it
  known: it stopped at statement 2, and 1 is applied
`,
  prune: `
$ irori prune -m search
shop: 1 index
  orders-before-1  (02-indices/orders.json, 20,045 documents, 3.2 MB)
Delete 1 index? [y/N]
`,
  pull: `
$ irori pull -m search --connection logs --kinds roles --dry-run
logs: 1 new
  new        84-roles/reader-role.json  (role reader)
`,
  new: `
$ irori new add-users
migrations/main/20261123-103056_add-users.sql
`,
  jobs: `
$ irori jobs list --job send-webhook --state failed
0b7c5d3e-8a54-4b0e-9d7e-0c5a3f0f8a11  failed     send-webhook  (2026-11-25T10:30:55Z; 6 attempts)
    Error: 503 Service Unavailable
1 job
$ irori jobs retry --job send-webhook
0b7c5d3e-8a54-4b0e-9d7e-0c5a3f0f8a11  failed     send-webhook  (2026-11-25T10:30:55Z; 6 attempts)
    Error: 503 Service Unavailable
1 job to run again
`,
  scan: `
$ irori scan
components.gen.ts: 2 components, written
`,
  build: `
$ irori build worker.ts
dist/worker.js: 226,311 bytes, 77,452 gzipped; left out: proxies, versions, xml
`,
  routes: `
$ irori routes
GET  /users/{id}  userController.get()  default
`,
  openapi: `
$ irori openapi > openapi.json
`,
  contract: `
$ irori contract --against openapi.json
no breaking changes, 0 additions
`,
  help: `
$ irori help resolve
`,
} as const;
