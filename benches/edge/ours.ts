import { bootstrap } from "irori/edge";
import { HelloController } from "./hello.ts";

export default await bootstrap({ components: [HelloController] });
