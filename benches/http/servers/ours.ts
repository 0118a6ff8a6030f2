import { ours } from "./ours_app.ts";

const app = await ours();
await app.listen();
