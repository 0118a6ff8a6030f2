import { ours } from "./ours_app.ts";

const app = await ours({ config: { server: { address: "127.0.0.1", port: 0 } } });
await app.listen();
