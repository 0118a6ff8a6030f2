import {
  Autowired,
  DeleteMapping,
  GetMapping,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestMapping,
  ResponseEntity,
  RestController,
} from "@irori/irori";
import { type Page, Pageable } from "@irori/irori/paging";
import { CurrentUser, PermitAll, type Principal, RolesAllowed } from "@irori/irori/security";
import { type Note, NoteForm } from "./note.ts";
import { NoteService } from "./note_service.ts";

@RestController()
@RequestMapping("/notes")
export class NoteController {
  @Autowired(NoteService)
  private readonly notes!: NoteService;

  @GetMapping("", Pageable({ size: 2, maxSize: 50 }))
  @PermitAll()
  list(pageable: Pageable): Page<Note> {
    return this.notes.list(pageable);
  }

  @GetMapping("/{id}", PathVariable("id", "int"))
  @PermitAll()
  get(id: number): Note {
    return this.notes.get(id);
  }

  @PostMapping("", RequestBody(NoteForm), CurrentUser())
  create(form: NoteForm, user: Principal): ResponseEntity<Note> {
    const note = this.notes.create(form, user.name);
    return ResponseEntity.created(`/notes/${note.id}`).withJson(note);
  }

  @PutMapping("/{id}", PathVariable("id", "int"), RequestBody(NoteForm))
  replace(id: number, form: NoteForm): Note {
    return this.notes.replace(id, form);
  }

  @DeleteMapping("/{id}", PathVariable("id", "int"))
  @RolesAllowed("admin")
  remove(id: number): void {
    this.notes.remove(id);
  }
}
