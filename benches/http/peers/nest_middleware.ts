/** With two small middleware: one reads a header, one sets one, which its middleware can do before the handler only. */
import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { controllers } from "./nest_app.ts";

@Module({ controllers })
class AppModule {}

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
app.use((request, response, next) => {
  if (request.headers["x-blocked"] === undefined) return next();
  response.statusCode = 403;
  response.end("blocked");
});
app.use((_request, response, next) => {
  response.setHeader("X-Served-By", "bench");
  next();
});
await app.listen(0, "127.0.0.1");
console.log(await app.getUrl());
