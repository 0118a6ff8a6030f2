import {
  Body,
  Controller,
  Get,
  Param,
  ParseIntPipe,
  Post,
  Query,
  SerializeOptions,
  StandardSchemaSerializerInterceptor,
  UseInterceptors,
  ValidationPipe,
} from "@nestjs/common";
import { Type } from "class-transformer";
import {
  IsArray,
  IsEmail,
  IsInt,
  IsNotEmpty,
  IsString,
  Min,
  ValidateNested,
} from "class-validator";
import { z } from "zod";

const Profile = z.object({ id: z.int(), name: z.string(), email: z.string() });

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

class Item {
  @IsString()
  @IsNotEmpty()
  product!: string;

  @IsInt()
  @Min(1)
  quantity!: number;
}

class Order {
  @IsString()
  @IsNotEmpty()
  customer!: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Item)
  items!: Item[];
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

@Controller("profiles")
class ProfileController {
  @Get(":id")
  @UseInterceptors(StandardSchemaSerializerInterceptor)
  @SerializeOptions({ schema: Profile })
  get(@Param("id", ParseIntPipe) id: number) {
    return { id, name: "Ada", email: "ada@example.com" };
  }
}

@Controller("orders")
class OrderController {
  @Post()
  create(@Body(new ValidationPipe({ expectedType: Order })) { customer, items }: Order) {
    return { customer, items: items.length };
  }
}

/** The routes as NestJS declares them. */
export const controllers = [UserController, ProfileController, OrderController];
