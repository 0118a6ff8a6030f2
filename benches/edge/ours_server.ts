import { bootstrap } from "irori";
import { HelloController } from "./hello.ts";

const app = await bootstrap({
  components: [HelloController],
  config: { server: { address: "127.0.0.1", port: 0 } },
});
await app.listen();
