import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsNotEmpty,
  IsString,
  Max,
  MaxLength,
  Min,
} from "class-validator";

export interface Note {
  id: number;
  title: string;
  text: string;
  tags: string[];
  author: string;
}

export class NoteForm {
  @IsString()
  @IsNotEmpty()
  @MaxLength(40)
  title!: string;

  @IsString()
  @MaxLength(1000)
  text: string = "";

  @IsArray()
  @ArrayMaxSize(3)
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  tags: string[] = [];
}

export class PageQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  page: number = 1;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(50)
  size: number = 2;
}

export class NoteNotFound extends Error {
  constructor(id: number) {
    super(`There is no note ${id}`);
  }
}

export class TooManyNotes extends Error {
  constructor(readonly limit: number) {
    super(`There are ${limit} notes already`);
  }
}
