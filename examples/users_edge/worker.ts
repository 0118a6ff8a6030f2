import { env } from "cloudflare:workers";
import { bootstrap } from "irori";
import { components, config } from "./components.gen.ts";

export default await bootstrap({ components, config, env });
