import { bootstrap } from "@irori/irori";
import { actuator } from "@irori/irori/actuator";
import { datasourceHealth, migrateSql } from "@irori/irori/migrations";
import { openApi, swaggerUi } from "@irori/irori/openapi";

const app = await bootstrap({
  root: import.meta.dirname,
  startup: [migrateSql()],
  extensions: [actuator({ health: [datasourceHealth()] }), openApi(), swaggerUi()],
});
const { url } = await app.listen().catch((error: Error) => {
  console.error(`${error.message}; SERVER_PORT=9000 takes another port`);
  Deno.exit(1);
});

console.log(`
Documentation: ${url}/docs

Try it:
  curl -i ${url}/users
  curl -i '${url}/users/search?email=ada@example.com'
  curl -i -X POST ${url}/users -H 'Content-Type: application/json' \\
    -d '{"name":"Grace Hopper","email":"grace@example.com"}'
  curl -i ${url}/actuator/health
  curl -i ${url}/openapi.json

Ctrl-C stops it.`);
