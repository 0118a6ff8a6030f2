import { actuator } from "irori/actuator";
import { ours } from "./ours_app.ts";

/** Serves twice: without an extension, and with requests timed. Both share what a process has of luck. */
const server = { address: "127.0.0.1", port: 0 };
const plain = await ours({ config: { server } });
const measured = await ours({
  extensions: [actuator()],
  config: { server, management: { endpoints: { include: ["metrics", "prometheus"] } } },
});
await plain.listen();
await measured.listen();
