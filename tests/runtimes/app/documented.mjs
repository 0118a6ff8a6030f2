/** Serves the documentation page of an application without routes. */
import { bootstrap } from "@irori/irori";
import { openApi, swaggerUi } from "@irori/irori/openapi";

const app = await bootstrap({
  config: { server: { address: "127.0.0.1", port: 0 } },
  extensions: [openApi(), swaggerUi()],
});
await app.listen();
