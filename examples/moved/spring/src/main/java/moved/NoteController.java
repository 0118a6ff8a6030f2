package moved;

import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import java.net.URI;
import java.security.Principal;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/notes")
public class NoteController {
  private final NoteService notes;

  public NoteController(NoteService notes) {
    this.notes = notes;
  }

  @GetMapping
  Page<Note> list(Pageable pageable) {
    return notes.list(pageable);
  }

  @GetMapping("/{id}")
  Note get(@PathVariable int id) {
    return notes.get(id);
  }

  @PostMapping
  ResponseEntity<Note> create(@Valid @RequestBody Note.Form form, Principal user) {
    var note = notes.create(form, user.getName());
    return ResponseEntity.created(URI.create("/notes/" + note.id())).body(note);
  }

  @PutMapping("/{id}")
  Note replace(@PathVariable int id, @Valid @RequestBody Note.Form form) {
    return notes.replace(id, form);
  }

  @DeleteMapping("/{id}")
  @RolesAllowed("admin")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(@PathVariable int id) {
    notes.remove(id);
  }
}
