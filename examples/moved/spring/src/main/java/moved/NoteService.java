package moved;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageImpl;
import org.springframework.data.domain.Pageable;
import org.springframework.stereotype.Service;

@Service
public class NoteService {
  private final NotesProperties properties;
  private final Map<Integer, Note> notes = new TreeMap<>();
  private int last;

  public NoteService(NotesProperties properties) {
    this.properties = properties;
    for (var title : List.of("Milk", "Bread", "Tea")) {
      create(new Note.Form(title, null, null), "ada");
    }
  }

  public synchronized Page<Note> list(Pageable pageable) {
    var all = new ArrayList<>(notes.values());
    var from = (int) Math.min(pageable.getOffset(), all.size());
    var to = Math.min(from + pageable.getPageSize(), all.size());
    return new PageImpl<>(all.subList(from, to), pageable, all.size());
  }

  public synchronized Note get(int id) {
    var note = notes.get(id);
    if (note == null) throw new NoteNotFound(id);
    return note;
  }

  public synchronized Note create(Note.Form form, String author) {
    if (notes.size() >= properties.limit()) throw new TooManyNotes(properties.limit());
    var note = Note.of(++last, form, author);
    notes.put(note.id(), note);
    return note;
  }

  public synchronized Note replace(int id, Note.Form form) {
    var note = Note.of(id, form, get(id).author());
    notes.put(id, note);
    return note;
  }

  public synchronized void remove(int id) {
    get(id);
    notes.remove(id);
  }
}
