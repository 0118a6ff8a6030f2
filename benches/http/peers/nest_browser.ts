/** With its own CORS, and the usual plugin of Fastify for security headers. */
import helmet from "@fastify/helmet";
import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { ORIGIN } from "../fields.ts";
import { HELMET } from "./fastify_for_browsers.ts";
import { controllers } from "./nest_app.ts";

@Module({ controllers })
class AppModule {}

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
app.enableCors({ origin: [ORIGIN] });
await app.register(helmet, HELMET);
await app.listen(0, "127.0.0.1");
console.log(await app.getUrl());
