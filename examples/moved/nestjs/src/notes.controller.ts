import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  Res,
} from "@nestjs/common";
import type { Response } from "express";
import { CurrentUser, Public, Roles, type User } from "./access.js";
import { NoteForm, PageQuery } from "./note.js";
import { NotesService } from "./notes.service.js";

@Controller("notes")
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Get()
  @Public()
  list(@Query() { page, size }: PageQuery) {
    return this.notes.list(page, size);
  }

  @Get(":id")
  @Public()
  get(@Param("id", ParseIntPipe) id: number) {
    return this.notes.get(id);
  }

  @Post()
  create(
    @Body() form: NoteForm,
    @CurrentUser() user: User,
    @Res({ passthrough: true }) response: Response,
  ) {
    const note = this.notes.create(form, user.name);
    response.location(`/notes/${note.id}`);
    return note;
  }

  @Put(":id")
  replace(@Param("id", ParseIntPipe) id: number, @Body() form: NoteForm) {
    return this.notes.replace(id, form);
  }

  @Delete(":id")
  @Roles("admin")
  @HttpCode(204)
  remove(@Param("id", ParseIntPipe) id: number) {
    this.notes.remove(id);
  }
}
