/**
 * With its own CORS and guard for a token that each request must have, and the usual plugins of Fastify for security headers,
 * metrics and an access log.
 */
import helmet from "@fastify/helmet";
import "reflect-metadata";
import { Inject, Injectable, Module, UnauthorizedException } from "@nestjs/common";
import { APP_GUARD, NestFactory } from "@nestjs/core";
import { JwtModule, JwtService } from "@nestjs/jwt";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import metrics from "fastify-metrics";
import { ORIGIN } from "../fields.ts";
import { SECRET } from "../token.ts";
import { HELMET } from "./fastify_for_browsers.ts";
import { controllers } from "./nest_app.ts";

@Injectable()
class TokenGuard {
  constructor(@Inject(JwtService) private readonly jwt: JwtService) {}

  async canActivate(context) {
    const { headers } = context.switchToHttp().getRequest();
    const [type, token = ""] = headers.authorization?.split(" ") ?? [];
    if (type !== "Bearer") throw new UnauthorizedException();
    await this.jwt.verifyAsync(token).catch(() => {
      throw new UnauthorizedException();
    });
    return true;
  }
}

const verifyOptions = { issuer: "bench", audience: "bench" };

@Module({
  controllers,
  imports: [JwtModule.register({ secret: SECRET, verifyOptions })],
  providers: [{ provide: APP_GUARD, useClass: TokenGuard }],
})
class AppModule {}

const adapter = new FastifyAdapter({ logger: true });
adapter.getInstance().addHook("onRequest", (_request, reply, done) => {
  reply.header("Cache-Control", "no-store");
  done();
});
const app = await NestFactory.create(AppModule, adapter, { logger: false });
app.enableCors({ origin: [ORIGIN] });
await app.register(helmet, HELMET);
await app.register(metrics, { endpoint: "/metrics" });
await app.listen(0, "127.0.0.1");
console.error(await app.getUrl());
