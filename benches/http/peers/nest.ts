import "reflect-metadata";
import {
  Body,
  Controller,
  Get,
  Module,
  Param,
  ParseIntPipe,
  Post,
  Query,
  ValidationPipe,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { IsEmail, IsNotEmpty, IsString } from "class-validator";

class Search {
  @IsString()
  email!: string;
}

class NewUser {
  @IsString()
  @IsNotEmpty()
  name!: string;

  @IsEmail()
  email!: string;
}

@Controller("users")
class UserController {
  @Get("search")
  search(@Query(new ValidationPipe({ expectedType: Search })) { email }: Search) {
    return { id: 1, email };
  }

  @Get(":id")
  get(@Param("id", ParseIntPipe) id: number) {
    return { id, name: "Ada" };
  }

  @Post()
  create(@Body(new ValidationPipe({ expectedType: NewUser })) user: NewUser) {
    return user;
  }
}

@Module({ controllers: [UserController] })
class AppModule {}

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
await app.listen(0, "127.0.0.1");
console.log(await app.getUrl());
