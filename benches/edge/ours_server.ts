import app from "./ours.ts";

await app.listen();
