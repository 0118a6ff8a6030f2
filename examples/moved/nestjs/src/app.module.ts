import { Module, ValidationPipe } from "@nestjs/common";
import { ConfigModule } from "@nestjs/config";
import { APP_FILTER, APP_GUARD, APP_PIPE } from "@nestjs/core";
import { BasicGuard } from "./basic.guard.js";
import { NoteErrors } from "./note-errors.filter.js";
import { NotesController } from "./notes.controller.js";
import { NotesService } from "./notes.service.js";
import { RolesGuard } from "./roles.guard.js";

@Module({
  imports: [ConfigModule.forRoot({ ignoreEnvFile: true, load: [() => ({ notes: { limit: 4 } })] })],
  controllers: [NotesController],
  providers: [
    NotesService,
    { provide: APP_PIPE, useValue: new ValidationPipe({ transform: true, whitelist: true }) },
    { provide: APP_GUARD, useClass: BasicGuard },
    { provide: APP_GUARD, useClass: RolesGuard },
    { provide: APP_FILTER, useClass: NoteErrors },
  ],
})
export class AppModule {}
