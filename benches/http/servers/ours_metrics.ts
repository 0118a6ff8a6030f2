import process from "node:process";
import { actuator } from "irori/actuator";
import { ours } from "./ours_app.ts";

/**
 * Serves twice: without an extension, and with requests timed. With an argument the other way round, as the one that is
 * there first is compiled for itself alone.
 */
const plain = () => ours();
const measured = () =>
  ours({
    extensions: [actuator()],
    config: { management: { endpoints: { include: ["metrics", "prometheus"] } } },
  });

for (const make of process.argv.length > 2 ? [measured, plain] : [plain, measured]) {
  await (await make()).listen();
}
