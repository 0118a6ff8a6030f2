import { env } from "cloudflare:workers";
import { bootstrap } from "irori/edge";
import { components, config } from "./components.gen.ts";

export default await bootstrap({ components, config, env });
